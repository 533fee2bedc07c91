// The colours that tell speeds, actions, styles and states apart.
import * as THREE from "three";

// Colours that people with any colour vision can tell apart (after Okabe and Ito 2008), then more around the wheel.
const CATEGORIES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442"];
export function category(index: number): string {
  return index < CATEGORIES.length ? CATEGORIES[index] : `hsl(${Math.round(index * 137.5) % 360}, 55%, 55%)`;
}

const RAMP = ["#3b3f8f", "#2f7fb5", "#39b39a", "#a8d15a", "#f6d746"];
/** A colour from 0 (dark) to 1 (bright). */
export function ramp(value: number): THREE.Color {
  const at = Math.min(Math.max(value, 0), 1) * (RAMP.length - 1);
  const index = Math.min(Math.floor(at), RAMP.length - 2);
  return new THREE.Color(RAMP[index]).lerp(new THREE.Color(RAMP[index + 1]), at - index);
}
export const RAMP_CSS = `linear-gradient(90deg, ${RAMP.join(", ")})`;
