// How finely pictures are drawn: without a graphics card as finely as lets the page answer at once.
import type * as THREE from "three";
import { drawsSlowly } from "../sun";

/** Pictures a second below which they become coarser, and above which they become finer again. */
const TOO_FEW = 12, ENOUGH = 28;
const COARSEST = 0.45;
/** In a picture that is kept, bodies are drawn in detail so many times as far away. */
const KEPT = 3;

export class Sharpness {
  private readonly finest = Math.min(devicePixelRatio, 2);
  private readonly slow = drawsSlowly();
  private ratio = this.finest;
  private drawing: WebGLSync | null = null;
  private began = 0;
  private restsUntil = 0;
  /** Whether a picture is to be kept: it is drawn as finely as can be, however long that takes. */
  private kept = false;

  constructor(private readonly renderer: THREE.WebGLRenderer) { renderer.setPixelRatio(this.ratio); }

  resize() {
    const { domElement } = this.renderer;
    this.renderer.setSize(domElement.clientWidth, domElement.clientHeight, false);
  }

  /** Draws as finely as so many pictures a second allow. */
  fit(rate: number) {
    if (!this.slow || this.kept) return;
    if (rate < TOO_FEW) this.set(this.ratio * 0.75);
    else if (rate > ENOUGH) this.set(this.ratio * 1.2);
  }

  /** How much of the usual detail is drawn: less where pictures are coarse, more where one is kept. */
  get share() { return this.kept ? KEPT : this.ratio / this.finest; }

  /** Draws finely from now on, or as fast as the page needs it. */
  keep(on: boolean) {
    this.kept = on;
    if (on) this.set(this.finest);
  }

  private get context() { return this.renderer.getContext() as WebGL2RenderingContext; }

  /** Whether the last picture is finished: without a graphics card others would pile up behind it, and the page would answer late. */
  isFree(now: number): boolean {
    if (!this.slow || now < this.restsUntil) return !this.slow;
    if (!this.drawing) return true;
    if (this.context.getSyncParameter(this.drawing, this.context.SYNC_STATUS) !== this.context.SIGNALED) return false;
    this.context.deleteSync(this.drawing);
    this.drawing = null;
    // The rest of the machine has work to do, too.
    this.restsUntil = now + Math.min(150, (now - this.began) / 2);
    return false;
  }

  /** Notes that a picture is being drawn. */
  begin(now: number) {
    if (!this.slow) return;
    this.began = now;
    this.drawing = this.context.fenceSync(this.context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.context.flush();
  }

  /** Pixels of the picture for each of the page. */
  set(ratio: number) {
    const wanted = Math.min(this.finest, Math.max(COARSEST, ratio));
    if (wanted === this.ratio) return;
    this.ratio = wanted;
    this.renderer.setPixelRatio(wanted);
    this.resize();
  }
}
