import type { Worker } from "bullmq";

export type Gate = ReturnType<typeof gateOf>;

/** Lets a worker of BullMQ take tickets while there is no reason against it. */
export function gateOf(worker: Worker, onError: (cause: Error) => void) {
  const reasons = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const follow = (changed: Promise<void> | void) => void Promise.resolve(changed).catch(onError);
  const close = (reason: string) => {
    reasons.add(reason);
    // with `true`, `pause` does not wait for the running tasks
    if (reasons.size === 1) follow(worker.pause(true));
  };
  const open = (reason: string) => {
    if (reasons.delete(reason) && reasons.size === 0) follow(worker.resume());
  };
  return {
    close,
    open,
    /** A second call extends the time. */
    closeFor(ms: number, reason: string) {
      clearTimeout(timer);
      close(reason);
      timer = setTimeout(() => open(reason), ms);
    },
    end: () => clearTimeout(timer),
  };
}
