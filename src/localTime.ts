export interface LocalTime {
  /** 1 (January) … 12. */
  readonly month: number;
  /** 1 (Monday) … 7 (Sunday). */
  readonly weekday: number;
  /** 0 … 23. */
  readonly hour: number;
}

/** Reads an ISO 8601 date, with or without a time. Ignores an offset or a Z: all machines must read the same hour. */
export function parseLocalTime(iso: string): LocalTime | undefined {
  const found =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      iso,
    );
  if (found === null) return undefined;
  const [, year, month, day, hour = "0"] = found;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // `Date` turns a day that does not exist, such as 30 February, into another day or an invalid date
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return { month: Number(month), weekday: date.getUTCDay() || 7, hour: Number(hour) };
}

/** Returns a text such as `2026-01-05T08:30:00`, which {@link parseLocalTime} can read. */
export function localTimeText(clock: Date): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, "0");
  const date = [pad(clock.getFullYear(), 4), pad(clock.getMonth() + 1), pad(clock.getDate())].join("-");
  return `${date}T${[clock.getHours(), clock.getMinutes(), clock.getSeconds()].map((value) => pad(value)).join(":")}`;
}
