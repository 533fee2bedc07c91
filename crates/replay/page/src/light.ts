// Light by the hour: where the sun stands, how warm and how strong it is, and what the sky is like.
import * as THREE from "three";

export interface Light {
  dark: boolean;
  /** The way to the sun or the moon. */
  sun: THREE.Vector3;
  sunColour: string; sunIntensity: number; skyIntensity: number;
  /** Light on people: from the sky, from the ground, and how much of the sun. */
  sky: string; bounce: string; sunlight: number;
  haze: string; zenith: string; shade: number;
}

const HIGH = () => new THREE.Vector3(0.45, -0.35, 0.82).normalize();

/** Bright day without an hour, and night. */
export const DAY = (): Light => ({
  dark: false, sun: HIGH(), sunColour: "#fff3df", sunIntensity: 2.2, skyIntensity: 1.5, sky: "#b9c6dc", bounce: "#8a8276", sunlight: 0.85,
  haze: "#dfe4e8", zenith: "#5f8fc9", shade: 0.26,
});
export const NIGHT = (): Light => ({
  dark: true, sun: HIGH(), sunColour: "#fff3df", sunIntensity: 0.9, skyIntensity: 0.9, sky: "#6d7ea6", bounce: "#3a3d4c", sunlight: 0.55,
  haze: "#141924", zenith: "#0a1122", shade: 0.42,
});

/** A long day: the sun rises at half past five in the east (x), stands in the south (-y) and sets at half past eight. */
const RISES = 5.5, SETS = 20.5, HIGHEST = 1.02;

function mixed(a: string, b: string, share: number): string {
  return `#${new THREE.Color(a).lerp(new THREE.Color(b), share).getHexString()}`;
}

export function lightAt(hour: number): Light {
  const share = (hour - RISES) / (SETS - RISES);
  const height = Math.sin(Math.PI * share) * HIGHEST;
  if (share <= 0 || share >= 1) {
    // Dusk goes over into night within the hour.
    const away = Math.min(1, share <= 0 ? RISES - hour : hour - SETS), night = NIGHT();
    return { ...night, sunIntensity: 0.55, sunlight: 0.35, haze: mixed("#6d6272", night.haze, away), zenith: mixed("#33426b", night.zenith, away), sky: mixed("#7d7c9c", night.sky, away) };
  }
  const day = DAY(), warm = Math.max(0, 1 - height / 0.5), low = warm * warm, round = Math.PI * share;
  // Never so flat that shadows have no end.
  const up = Math.max(height, 0.09);
  day.sun.set(Math.cos(up) * Math.cos(round), -Math.cos(up) * Math.sin(round), Math.sin(up)).normalize();
  return {
    ...day, sunColour: mixed(day.sunColour, "#ff8a3c", low), sunIntensity: 2.2 - 0.7 * low, skyIntensity: 1.5 - 0.6 * low,
    sky: mixed(day.sky, "#8a86a8", low), bounce: mixed(day.bounce, "#6b5648", low), sunlight: 0.85 - 0.15 * low,
    haze: mixed(day.haze, "#e3b48c", low), zenith: mixed(day.zenith, "#4d5f92", low), shade: 0.26 + 0.1 * low,
  };
}
