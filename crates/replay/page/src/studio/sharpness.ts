// How finely pictures are drawn: without a graphics card as finely as lets the page answer at once.
import type * as THREE from "three";
import { drawsSlowly } from "../sun";

/** Pictures a second below which they become coarser, and above which they become finer again. */
const TOO_FEW = 12, ENOUGH = 28;
const COARSEST = 0.45;

export class Sharpness {
  private readonly finest = Math.min(devicePixelRatio, 2);
  private readonly slow = drawsSlowly();
  private ratio = this.finest;
  /** Whether it stays as it is. */
  held = false;

  constructor(private readonly renderer: THREE.WebGLRenderer) { renderer.setPixelRatio(this.ratio); }

  resize() {
    const { domElement } = this.renderer;
    this.renderer.setSize(domElement.clientWidth, domElement.clientHeight, false);
  }

  /** Draws as finely as so many pictures a second allow. */
  fit(rate: number) {
    if (!this.slow || this.held) return;
    if (rate < TOO_FEW) this.set(this.ratio * 0.75);
    else if (rate > ENOUGH) this.set(this.ratio * 1.2);
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
