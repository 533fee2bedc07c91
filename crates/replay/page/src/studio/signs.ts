// Signs of the tools: strokes in a box of 16 by 16.
import type { Tool } from "./app";

const STROKES: Record<Tool, string> = {
  look: "M1 8C4 3 12 3 15 8C12 13 4 13 1 8ZM8 6A2 2 0 1 0 8 10A2 2 0 1 0 8 6",
  select: "M2 5V2H5M11 2H14V5M14 11V14H11M5 14H2V11M6 8H10M8 6V10",
  people: "M6 4A2 2 0 1 0 6 8A2 2 0 1 0 6 4M2 14C2 9 10 9 10 14M13 3V8M10.5 5.5H15.5",
  brush: "M14 2L7 9M8 10C8 14 3 14 2 14C3 13 2 10 5 8.5Z",
  goal: "M2 8H13M9 4L13 8L9 12",
  region: "M3 6C3 1 14 2 14 7C14 13 3 15 3 10ZM5 10L11 4M7 12L13 6",
  wall: "M2 4H14V12H2ZM2 8H14M6 4V8M10 8V12",
  direct: "M4 15V2M4 2H13L10.5 5L13 8H4",
  form: "M8 1L10 6L15 6L11 9L12.5 14L8 11L3.5 14L5 9L1 6L6 6Z",
  lane: "M2 5H12M9 2L12 5L9 8M2 11H12M9 8.5L12 11L9 13.5",
  stops: "M3 2A2 2 0 1 0 3 6A2 2 0 1 0 3 2M13 10A2 2 0 1 0 13 14A2 2 0 1 0 13 10M4.5 5.5L11.5 10.5M8 10.5H11.5V7",
  seats: "M2 3H6V7H2ZM10 3H14V7H10ZM2 10H6V14H2ZM10 10H14V14H10Z",
  vehicle: "M1 4H15V11H1ZM1 7.5H15M4 11A1.5 1.5 0 1 0 4 14A1.5 1.5 0 1 0 4 11M12 11A1.5 1.5 0 1 0 12 14A1.5 1.5 0 1 0 12 11",
  paste: "M5 5H14V14H5ZM11 5V2H2V11H5",
  scale: "M1 8H15M4 5L1 8L4 11M12 5L15 8L12 11M1 2V14M15 2V14",
  line: "M8 1V15M2 6H6M4 4L6 6L4 8M14 10H10M12 8L10 10L12 12",
};

/** The sign of a tool. */
export function sign(tool: Tool): HTMLElement {
  const box = document.createElement("i");
  box.setAttribute("aria-hidden", "true");
  box.innerHTML = `<svg viewBox="0 0 16 16" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round"><path d="${STROKES[tool]}"/></svg>`;
  return box;
}
