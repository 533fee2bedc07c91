// What people wear, and the colours that tell speeds, actions, styles and states apart.
import * as THREE from "three";
import { chance } from "./crowd";

const SKIN = ["#f1cdb0", "#e3b08c", "#c98f67", "#a46f4b", "#7b4f35", "#553627"];
const HAIR = ["#1b1512", "#2c211b", "#4a3223", "#6d4a2c", "#a17a48", "#8d8a86", "#d8d4cd"];
const SHIRT = ["#2f4b6e", "#5d7fa3", "#b94a3e", "#d98c4a", "#e3c16f", "#6f8f5e", "#37605a", "#7d5a80", "#d9d5cb", "#8a8f98", "#35383f", "#c77f93"];
const TROUSERS = ["#23304a", "#2f3e5c", "#3b3b40", "#55504a", "#7a6b58", "#1f2126", "#8b8577"];

function bytes(hex: string): [number, number, number] {
  const colour = new THREE.Color(hex);
  return [colour.r * 255, colour.g * 255, colour.b * 255];
}
const palettes = [SKIN, HAIR, SHIRT, TROUSERS].map((palette) => palette.map(bytes));

/** Dresses the agent in slot `slot` by its number alone. */
export function dress(wear: Uint8Array[], slot: number, id: number) {
  wear.forEach((array, kind) => {
    const palette = palettes[kind];
    // Dark skin mostly goes with dark hair.
    const choices = kind === 1 && chance(id, 0) > 0.5 ? 3 : palette.length;
    array.set(palette[Math.floor(chance(id, kind) * choices)], slot * 3);
  });
}

/** A size about 1: people differ in height. */
export function sizeOf(id: number): number {
  return 0.95 + 0.09 * (chance(id, 11) + chance(id, 12)) / 2;
}

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
