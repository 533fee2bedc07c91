// The live view of `Simulation.widget()`: people from above, with play and pause.

const COLOURS = ["#2a6fdb", "#d9822b", "#3a9d5d", "#b0449e", "#8a6d3b", "#5c6bc0", "#c0392b", "#16a085"];

export function draw(context, size, ground, people, names) {
  const points = ground.flat();
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(size.width / (right - left || 1), size.height / (top - bottom || 1)) * 0.96;
  const x = (value) => size.width / 2 + (value - (left + right) / 2) * scale;
  const y = (value) => size.height / 2 - (value - (bottom + top) / 2) * scale;
  context.clearRect(0, 0, size.width, size.height);
  context.beginPath();
  for (const ring of ground) {
    ring.forEach((point, index) => (index ? context.lineTo(x(point[0]), y(point[1])) : context.moveTo(x(point[0]), y(point[1]))));
    context.closePath();
  }
  context.fillStyle = "rgba(128, 128, 128, 0.12)";
  context.fill("evenodd");
  context.strokeStyle = "gray";
  context.stroke();
  // Five numbers a person: x, y, heading, radius and the number of what moves it.
  for (let at = 0; at + 4 < people.length; at += 5) {
    const radius = Math.max(people[at + 3] * scale, 1.5);
    const [px, py] = [x(people[at]), y(people[at + 1])];
    context.beginPath();
    context.arc(px, py, radius, 0, 2 * Math.PI);
    context.fillStyle = COLOURS[people[at + 4] % COLOURS.length];
    context.fill();
    context.beginPath();
    context.moveTo(px, py);
    context.lineTo(px + 1.6 * radius * Math.cos(people[at + 2]), py - 1.6 * radius * Math.sin(people[at + 2]));
    context.strokeStyle = "rgba(0, 0, 0, 0.6)";
    context.stroke();
  }
  context.textBaseline = "top";
  names.forEach((name, index) => {
    context.fillStyle = COLOURS[index % COLOURS.length];
    context.fillText(name, 8, 8 + 14 * index);
  });
}

function render({ model, el }) {
  const bar = document.createElement("div");
  const canvas = document.createElement("canvas");
  canvas.style.width = "100%";
  canvas.style.height = `${model.get("height")}px`;
  const button = (text, title, click) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.title = title;
    made.addEventListener("click", click);
    bar.append(made);
    return made;
  };
  const told = document.createElement("span");
  told.style.marginLeft = "1em";
  const trouble = document.createElement("span");
  trouble.style.color = "crimson";
  let [playing, speed, waiting, last] = [false, 1, false, 0];
  let newest = { people: new Float32Array(0), names: [] };
  const ask = (frames) => {
    waiting = true;
    model.send({ kind: "step", frames });
  };
  const set = (on) => {
    playing = on;
    last = performance.now();
    play.textContent = playing ? "pause" : "play";
    if (playing) requestAnimationFrame(tick);
  };
  const play = button("play", "Lets time run, or stops it", () => set(!playing));
  button("step", "One frame", () => !playing && !waiting && ask(1));
  const faster = button("× 1", "How fast time runs", () => {
    speed = speed >= 8 ? 1 : speed * 2;
    faster.textContent = `× ${speed}`;
  });
  const tick = (now) => {
    if (!playing) return;
    const frames = Math.min(Math.floor(((now - last) / 1000) * 30 * speed), 30);
    // The next frames are asked for when the last ones are here: the simulation is never behind.
    if (!waiting && frames > 0) {
      last = now;
      ask(frames);
    }
    requestAnimationFrame(tick);
  };
  const show = () => {
    const ratio = globalThis.devicePixelRatio || 1;
    const size = { width: canvas.clientWidth || 600, height: canvas.clientHeight || model.get("height") };
    canvas.width = size.width * ratio;
    canvas.height = size.height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    draw(context, size, model.get("ground"), newest.people, newest.names);
  };
  const hear = (message, buffers) => {
    if (message.kind === "trouble") {
      trouble.textContent = ` ${message.what}`;
      waiting = false;
      set(false);
    } else if (message.kind === "frame") {
      const view = buffers[0];
      const bytes = view.buffer ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : view;
      newest = { people: new Float32Array(bytes), names: message.movers };
      told.textContent = `${message.time.toFixed(1)} s · ${message.count} people`;
      trouble.textContent = "";
      waiting = false;
      show();
    }
  };
  model.on("msg:custom", hear);
  bar.append(told, trouble);
  el.append(bar, canvas);
  model.send({ kind: "look" });
  return () => {
    playing = false;
    model.off("msg:custom", hear);
  };
}

export default { render };
