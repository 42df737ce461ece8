// A map on a canvas: drag it, pinch it, turn the wheel, or use the keys and the buttons. The pages of tiles and of
// reports and the workbench show their maps with it.

/** A point of a map, or the distance of a pixel from the middle of the canvas. */
export type Point = Readonly<Record<"x" | "y", number>>;

/** The point in the middle of a map, and the number of CSS pixels for a unit. */
type MapPlace = Point & { readonly scale: number };

/** What a canvas shows: its top left point, its size in its own pixels, and the number of these pixels for a unit. */
export type MapView = Readonly<Record<"left" | "top" | "width" | "height" | "scale", number>>;

/** A picture and its place on the map. */
export interface MapPiece extends Readonly<Record<"x" | "y" | "width" | "height", number>> {
  readonly picture: HTMLImageElement | OffscreenCanvas;
}

export interface MapContent {
  /** The size of a map with an end, which begins at (0, 0). It is never smaller than when all of it is in view. */
  readonly size?: { readonly width: number; readonly height: number };
  /** CSS pixels for a unit. */
  readonly leastScale?: number;
  readonly mostScale: number;
  /** How many pieces are loaded at once. */
  readonly mostLoading: number;
  /** Returns the pieces in view as the arguments of `load`, from the lowest to the highest. */
  piecesIn(view: MapView): readonly (readonly number[])[];
  /** Resolves with undefined if the map has no such piece. */
  load(...piece: readonly number[]): Promise<MapPiece | undefined>;
  /** Draws what is above all pieces. */
  drawAbove?(pen: CanvasRenderingContext2D, view: MapView, piece: MapPiece): void;
  /** Called with the point under the pointer, and with undefined when the pointer leaves the map. */
  point?(at: Point | undefined): void;
  /** Called after a double click, and after the key Enter with the point in the middle. */
  choose?(at: Point): void;
  /** Called when the map shows another part, but not while it is dragged. */
  moved?(place: MapPlace): void;
}

const MIDDLE: Point = { x: 0, y: 0 };
const ZOOM = 1.5;
const KEYS: Readonly<Record<string, readonly [dx: number, dy: number, factor: number]>> = {
  ArrowLeft: [-80, 0, 1],
  ArrowRight: [80, 0, 1],
  ArrowUp: [0, -80, 1],
  ArrowDown: [0, 80, 1],
  "+": [0, 0, ZOOM],
  "=": [0, 0, ZOOM],
  "-": [0, 0, 1 / ZOOM],
};
/** Turning the wheel by this number of pixels doubles the scale. */
const WHEEL_PIXELS = 400;
/** How many pieces are kept that are not in view. */
const MOST_SPARE = 100;

export class MapCanvas {
  readonly #canvas = document.createElement("canvas");
  readonly #content: MapContent;
  readonly #pieces = new Map<string, MapPiece | undefined>();
  #loading = 0;
  /** The pressed pointers: the mouse, or fingers. */
  readonly #pressed = new Map<number, Point>();
  #place: MapPlace | undefined;
  #frame = 0;

  /** Replaces the content of `box`. */
  constructor(box: HTMLElement, label: string, content: MapContent) {
    this.#content = content;
    const canvas = this.#canvas;
    const ariaLabel = `${label}. The arrow keys move it, plus and minus zoom.`;
    Object.assign(canvas, { tabIndex: 0, role: "application", ariaLabel });
    canvas.onpointerdown = (event) => this.#press(event);
    canvas.onpointermove = (event) => this.#drag(event);
    canvas.onpointerup = canvas.onpointercancel = ({ pointerId }) => {
      if (this.#pressed.delete(pointerId)) content.moved?.(this.place);
    };
    canvas.onpointerleave = () => content.point?.(undefined);
    canvas.ondblclick = (event) => content.choose?.(this.#pointAt(this.#pixelOf(event)));
    canvas.onwheel = (event) => this.#wheel(event);
    box.onkeydown = (event) => this.#key(event);
    new ResizeObserver(() => this.redraw()).observe(canvas);
    const buttons = document.createElement("div");
    buttons.className = "zoom";
    buttons.append(this.#button("+", "Zoom in", ZOOM), this.#button("−", "Zoom out", 1 / ZOOM));
    box.replaceChildren(canvas, buttons);
  }

  get place(): MapPlace {
    return this.#place ?? this.#whole;
  }

  /** Shows another part of the map, within its limits. */
  goTo({ x, y, scale: wanted }: MapPlace): void {
    const { size } = this.#content;
    const { clientWidth, clientHeight } = this.#canvas;
    const scale = this.#limited(wanted);
    const inside = (middle: number, half: number, length: number | undefined) => {
      if (length === undefined) return middle;
      return 2 * half >= length ? length / 2 : Math.min(length - half, Math.max(half, middle));
    };
    const [halfWidth, halfHeight] = [clientWidth / scale / 2, clientHeight / scale / 2];
    this.#place = { x: inside(x, halfWidth, size?.width), y: inside(y, halfHeight, size?.height), scale };
    if (this.#pressed.size === 0) this.#content.moved?.(this.#place);
    this.redraw();
  }

  /** Moves the map by some pixels, and zooms it: the point under the pixel `at` stays there. */
  #change(dx: number, dy: number, factor: number, at: Point): void {
    const { x, y, scale } = this.place;
    const next = this.#limited(scale * factor);
    this.goTo({ x: x + (at.x + dx) / scale - at.x / next, y: y + (at.y + dy) / scale - at.y / next, scale: next });
  }

  #limited(scale: number): number {
    return Math.min(this.#content.mostScale, Math.max(this.#content.leastScale ?? this.#whole.scale, scale));
  }

  get #whole(): MapPlace {
    const { width = 1, height = 1 } = this.#content.size ?? {};
    const { clientWidth, clientHeight } = this.#canvas;
    return { x: width / 2, y: height / 2, scale: Math.min(clientWidth / width, clientHeight / height) };
  }

  get #isWhole(): boolean {
    return this.#content.size !== undefined && this.place.scale <= this.#whole.scale;
  }

  #pixelOf({ offsetX, offsetY }: MouseEvent): Point {
    return { x: offsetX - this.#canvas.clientWidth / 2, y: offsetY - this.#canvas.clientHeight / 2 };
  }

  #pointAt(pixel: Point): Point {
    const { x, y, scale } = this.place;
    return { x: x + pixel.x / scale, y: y + pixel.y / scale };
  }

  #button(textContent: string, ariaLabel: string, factor: number): HTMLButtonElement {
    const onclick = () => this.#change(0, 0, factor, MIDDLE);
    return Object.assign(document.createElement("button"), { type: "button", textContent, ariaLabel, onclick });
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pressed.set(event.pointerId, this.#pixelOf(event));
  }

  #drag(event: PointerEvent): void {
    const [before, at] = [this.#pressed.get(event.pointerId), this.#pixelOf(event)];
    if (before === undefined) return void this.#content.point?.(this.#pointAt(at));
    this.#pressed.set(event.pointerId, at);
    const count = this.#pressed.size;
    // each finger zooms by what its own move changes of their distance
    const other = [...this.#pressed].find(([id]) => id !== event.pointerId)?.[1];
    const factor = other === undefined ? 1 : distance(at, other) / distance(before, other);
    const middle = other === undefined ? MIDDLE : { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    this.#change((before.x - at.x) / count, (before.y - at.y) / count, factor, middle);
  }

  #wheel(event: WheelEvent): void {
    // the page around a whole map scrolls
    if (event.deltaY > 0 && !event.ctrlKey && this.#isWhole) return;
    event.preventDefault();
    this.#change(0, 0, 2 ** (-event.deltaY / WHEEL_PIXELS), this.#pixelOf(event));
  }

  #key(event: KeyboardEvent): void {
    const change = KEYS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (change !== undefined) this.#change(...change, MIDDLE);
    else if (event.key === "Enter" && event.target === this.#canvas) this.#content.choose?.(this.place);
    else return;
    event.preventDefault();
  }

  /** Draws the map with the next frame. */
  redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const canvas = this.#canvas;
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    const height = Math.round(canvas.clientHeight * devicePixelRatio);
    if (width === 0 || height === 0) return;
    // setting a size takes long, even if it stays the same
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    // one finger scrolls the page around a whole map
    canvas.style.touchAction = this.#isWhole ? "pan-y" : "none";
    const { x, y, scale: cssScale } = this.place;
    const scale = cssScale * devicePixelRatio;
    const view = { left: x - width / scale / 2, top: y - height / scale / 2, width, height, scale };
    const inView = this.#content.piecesIn(view);
    const pieces = inView.flatMap((piece) => this.#pieces.get(`${piece}`) ?? []);
    this.#drawPieces(view, pieces);
    const missing = inView.filter((piece) => !this.#pieces.has(`${piece}`));
    for (const piece of missing.slice(0, this.#content.mostLoading - this.#loading)) this.#load(piece);
    canvas.dataset.state = this.#loading === 0 ? "whole" : "partial";
    if (this.#pieces.size <= 2 * inView.length + MOST_SPARE) return;
    const keys = new Set(inView.map(String));
    for (const key of this.#pieces.keys()) if (!keys.has(key)) this.#pieces.delete(key);
  }

  #drawPieces(view: MapView, pieces: readonly MapPiece[]): void {
    const pen = this.#canvas.getContext("2d") as CanvasRenderingContext2D;
    pen.clearRect(0, 0, view.width, view.height);
    // whole pixels, so that no line is between pieces
    const pixel = (at: number, start: number) => Math.round((at - start) * view.scale);
    for (const { picture, x, y, width, height } of pieces) {
      const [left, top] = [pixel(x, view.left), pixel(y, view.top)];
      const size = [pixel(x + width, view.left) - left, pixel(y + height, view.top) - top] as const;
      pen.imageSmoothingEnabled = size[0] < picture.width;
      // a fine tile hides the coarse tile below it, also where it is transparent
      if (this.#content.size !== undefined) pen.clearRect(left, top, ...size);
      pen.drawImage(picture, left, top, ...size);
    }
    for (const piece of pieces) this.#content.drawAbove?.(pen, view, piece);
  }

  async #load(piece: readonly number[]): Promise<void> {
    this.#loading++;
    this.#pieces.set(`${piece}`, undefined);
    // the place of a piece that cannot be loaded stays empty
    this.#pieces.set(`${piece}`, await this.#content.load(...piece).catch(() => undefined));
    this.#loading--;
    this.redraw();
  }
}

/** Returns the whole numbers from `first` to `last`. */
export function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
}

function distance(a: Point, b: Point): number {
  // fingers at one place would zoom without a limit
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
