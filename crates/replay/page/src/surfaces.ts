// Textures that the page draws by itself: paving, asphalt, meadows, leaves, houses with windows and shops; and the sky.
import * as THREE from "three";

/** Well mixed numbers from 0 to 1, the same on every page. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

function painted(size: number, metres: number, paint: (context: CanvasRenderingContext2D, random: () => number) => void): THREE.CanvasTexture {
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
  paint(canvas.getContext("2d")!, numbers(size + metres * 7));
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(1 / metres, 1 / metres);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

function speckle(context: CanvasRenderingContext2D, random: () => number, count: number, strength: number) {
  const { width, height } = context.canvas;
  for (let each = 0; each < count; each++) {
    context.fillStyle = random() < 0.5 ? `rgba(0,0,0,${strength * random()})` : `rgba(255,255,255,${strength * random()})`;
    const size = 0.5 + random() * 1.6;
    context.fillRect(random() * width, random() * height, size, size);
  }
}

/** Slabs in bond, each a little lighter or darker than the next; 2.4 m. White, to be coloured. */
export const paving = () => painted(512, 2.4, (context, random) => {
  const slab = 64;
  for (let row = 0; row < 8; row++) {
    for (let column = -1; column < 5; column++) {
      const light = 222 + random() * 26;
      context.fillStyle = `rgb(${light},${light - 1},${light - 3})`;
      context.fillRect(column * slab * 2 + (row % 2) * slab, row * slab, slab * 2 - 1.5, slab - 1.5);
    }
  }
  speckle(context, random, 9000, 0.05);
});

/** Soft lighter and darker patches of some metres, the same at all four edges. */
function patches(context: CanvasRenderingContext2D, random: () => number, count: number, strength: number, colours: [string, string]) {
  const { width, height } = context.canvas;
  for (let each = 0; each < count; each++) {
    const [x, y, r] = [random() * width, random() * height, width * (0.05 + random() * 0.16)], colour = colours[each % 2];
    for (const [dx, dy] of [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1], [-1, 1], [1, -1]]) {
      const spot = context.createRadialGradient(x + dx * width, y + dy * height, 0, x + dx * width, y + dy * height, r);
      spot.addColorStop(0, `rgba(${colour},${strength})`); spot.addColorStop(1, `rgba(${colour},0)`);
      context.fillStyle = spot;
      context.fillRect(0, 0, width, height);
    }
  }
}

/** Gravel on roofs: nothing but grain; 6 m. */
export const grain = () => painted(256, 6, (context, random) => {
  context.fillStyle = "rgb(226,226,226)";
  context.fillRect(0, 0, 256, 256);
  speckle(context, random, 14000, 0.09);
});

/** Asphalt: stones in tar, patches where it was mended or is worn, a few cracks; 8 m. White, to be coloured. */
export const asphalt = () => painted(512, 8, (context, random) => {
  context.fillStyle = "rgb(214,214,214)";
  context.fillRect(0, 0, 512, 512);
  patches(context, random, 26, 0.09, ["0,0,0", "255,255,255"]);
  speckle(context, random, 46000, 0.16);
  for (let crack = 0; crack < 5; crack++) {
    let [x, y, way] = [random() * 512, random() * 512, random() * 6.3];
    context.strokeStyle = "rgba(20,20,24,0.35)";
    context.lineWidth = 0.8 + random() * 0.6;
    context.beginPath();
    context.moveTo(x, y);
    for (let step = 0; step < 14; step++) {
      way += (random() - 0.5) * 1.1;
      context.lineTo(x += Math.cos(way) * 7, y += Math.sin(way) * 7);
    }
    context.stroke();
  }
});

/** A meadow: blades in many greens over lighter and darker patches, and a few flowers; 14 m. */
export const meadow = () => painted(512, 14, (context, random) => {
  context.fillStyle = "#8b996c";
  context.fillRect(0, 0, 512, 512);
  patches(context, random, 40, 0.22, ["86,104,58", "158,160,104"]);
  for (let blade = 0; blade < 26000; blade++) {
    const light = random();
    context.fillStyle = `hsla(${72 + random() * 34}, ${18 + random() * 20}%, ${32 + light * 28}%, 0.5)`;
    context.fillRect(random() * 512, random() * 512, 0.7 + random() * 0.5, 1 + random() * 3);
  }
  for (let flower = 0; flower < 90; flower++) {
    context.fillStyle = random() < 0.6 ? "rgba(236,232,214,0.8)" : "rgba(222,196,86,0.8)";
    context.fillRect(random() * 512, random() * 512, 1.4, 1.4);
  }
});

/** Rendered walls: a coat of plaster with soft stains, darker at the foot; 4 m. White, to be coloured. */
export const render = () => painted(256, 4, (context, random) => {
  context.fillStyle = "rgb(238,236,232)";
  context.fillRect(0, 0, 256, 256);
  patches(context, random, 22, 0.07, ["70,60,50", "255,255,255"]);
  speckle(context, random, 9000, 0.05);
});

/** Leaves on twigs that one sees through between. */
export const leaves = () => {
  const texture = painted(128, 1, (context, random) => {
    for (let leaf = 0; leaf < 92; leaf++) {
      const [way, away] = [random() * 6.283, Math.sqrt(random()) * 56];
      context.save();
      context.translate(64 + Math.cos(way) * away, 64 + Math.sin(way) * away);
      context.rotate(random() * 6.283);
      context.fillStyle = `hsl(${78 + random() * 34}, ${30 + random() * 18}%, ${24 + random() * 26}%)`;
      context.beginPath();
      context.ellipse(0, 0, 7 + random() * 4, 3 + random() * 1.8, 0, 0, 6.283);
      context.fill();
      context.restore();
    }
  });
  texture.repeat.set(1, 1);
  return texture;
};

/** Houses' texture has so many windows side by side, and storeys one above the other. */
export const WINDOWS = 4, STOREYS = 4;
const CELL = 256;

function plaster(context: CanvasRenderingContext2D, random: () => number) {
  context.fillStyle = "rgb(236,232,224)";
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  patches(context, random, 30, 0.04, ["60,50,40", "255,255,255"]);
  speckle(context, random, 26000, 0.035);
}

/** A pane that shows some sky and the house over the way, or a curtain. */
function pane(context: CanvasRenderingContext2D, [x, y, width, height]: number[], random: () => number) {
  const glass = context.createLinearGradient(x, y, x + width * 0.6, y + height), light = random();
  glass.addColorStop(0, light < 0.5 ? "#9fb3c6" : "#7d90a3"); glass.addColorStop(0.45, "#4c5a68"); glass.addColorStop(1, "#2e3740");
  context.fillStyle = glass;
  context.fillRect(x, y, width, height);
  if (light > 0.62) {
    context.fillStyle = `rgba(236,230,216,${0.35 + random() * 0.4})`;
    const drawn = width * (0.2 + random() * 0.3);
    context.fillRect(x, y, drawn, height);
    if (random() < 0.7) context.fillRect(x + width - drawn, y, drawn, height);
  } else if (light > 0.45) {
    context.fillStyle = "rgba(228,224,212,0.75)";
    context.fillRect(x, y, width, height * (0.15 + random() * 0.5));
  }
  context.fillStyle = "rgba(0,0,0,0.28)";
  context.fillRect(x, y, width, 7);
  context.fillRect(x, y, 4, height);
}

/** Storeys of a house by 2.6 m: plaster, windows with frames, sills and what hangs behind them, no two alike. */
export const facade = () => {
  const texture = painted(CELL * 4, 1, (context, random) => {
    plaster(context, random);
    for (let storey = 0; storey < STOREYS; storey++) {
      for (let column = 0; column < WINDOWS; column++) {
        const [x, y] = [column * CELL, storey * CELL];
        context.fillStyle = "rgba(0,0,0,0.10)";
        context.fillRect(x + 72, y + 42, 112, 148);
        context.fillStyle = "#f7f5f0";
        context.fillRect(x + 76, y + 46, 104, 140);
        const parts = (column + storey) % 3 === 0 ? 1 : 2, wide = (88 - (parts - 1) * 6) / parts;
        for (let part = 0; part < parts; part++) pane(context, [x + 84 + part * (wide + 6), y + 54, wide, 124], random);
        context.fillStyle = "#f7f5f0";
        context.fillRect(x + 84, y + 92, 88, 5);
        context.fillStyle = "#cdc6b8";
        context.fillRect(x + 66, y + 186, 124, 9);
        context.fillStyle = "rgba(0,0,0,0.16)";
        context.fillRect(x + 66, y + 195, 124, 7);
        if (random() < 0.16) {
          context.fillStyle = "#8a5a44";
          context.fillRect(x + 80, y + 172, 96, 14);
          for (let leaf = 0; leaf < 70; leaf++) {
            context.fillStyle = leaf % 6 ? `hsl(${90 + random() * 30}, 32%, ${24 + random() * 18}%)` : `hsl(${random() * 60 - 20}, 62%, 56%)`;
            context.fillRect(x + 78 + random() * 98, y + 156 + random() * 20, 5, 5);
          }
        }
      }
      context.fillStyle = "rgba(255,255,255,0.28)";
      context.fillRect(0, storey * CELL + 246, CELL * 4, 4);
      context.fillStyle = "rgba(0,0,0,0.13)";
      context.fillRect(0, storey * CELL + 250, CELL * 4, 6);
    }
  });
  texture.repeat.set(1, 1);
  return texture;
};

const SHOPS = ["Bakery", "Books", "Café", "Flowers"];
const FRONTS = ["#3d5a4c", "#7a3b36", "#34495e", "#8a6d3b"];

/** Where in the texture of ground floors a storey with shops begins, and one with a door and windows; each is as high as a quarter. */
export const SHOP_FLOOR = 0.25, DOOR_FLOOR = 0.5;

/** Ground floors, as wide as {@link facade}: shops with windows, signs and awnings, and a row of windows with a door. */
export const groundFloors = () => {
  const texture = painted(CELL * 4, 1, (context, random) => {
    plaster(context, random);
    for (let column = 0; column < WINDOWS; column++) {
      const x = column * CELL, front = FRONTS[column];
      // A house without shops: a plinth, and a door in every fourth place.
      context.fillStyle = "rgba(60,54,48,0.28)";
      context.fillRect(x, 448, CELL, 64);
      if (column === 1) {
        context.fillStyle = "#d6cfc0";
        context.fillRect(x + 70, 296, 116, 216);
        context.fillStyle = "#4d382a";
        context.fillRect(x + 82, 340, 92, 172);
        pane(context, [x + 82, 308, 92, 28], random);
        for (const [dx, dy] of [[90, 352], [132, 352], [90, 430], [132, 430]]) {
          context.fillStyle = "rgba(0,0,0,0.3)";
          context.fillRect(x + dx, dy, 34, 66);
        }
        context.fillStyle = "#d8b866";
        context.fillRect(x + 164, 424, 5, 16);
      } else {
        context.fillStyle = "#f7f5f0";
        context.fillRect(x + 76, 302, 104, 132);
        pane(context, [x + 84, 310, 88, 116], random);
        context.fillStyle = "#f7f5f0";
        context.fillRect(x + 125, 310, 6, 116);
        context.fillStyle = "#cdc6b8";
        context.fillRect(x + 66, 434, 124, 9);
      }
      // A shop: a board with its name, glass from the knee up or a door, wares in the dark behind.
      context.fillStyle = front;
      context.fillRect(x, 536, CELL, 232);
      context.fillStyle = "rgba(255,255,255,0.10)";
      context.fillRect(x, 536, CELL, 5);
      context.fillStyle = "#efe8d6";
      context.font = "600 38px Georgia, serif";
      context.textAlign = "center";
      context.fillText(SHOPS[column], x + CELL / 2, 582);
      const door = column % 2 === 1, [left, low] = door ? [x + 96, 752] : [x + 18, 716];
      for (const [at, wide, bottom] of door ? [[x + 18, 66, 716], [left, 84, low], [x + 192, 46, 716]] : [[left, 106, low], [x + 132, 106, low]]) {
        const inside = context.createLinearGradient(0, 604, 0, bottom);
        inside.addColorStop(0, "#5a5044"); inside.addColorStop(1, "#1d1b1a");
        context.fillStyle = inside;
        context.fillRect(at, 604, wide, bottom - 604);
        for (let ware = 0; ware < 9; ware++) {
          context.fillStyle = `hsl(${20 + random() * 70}, ${10 + random() * 25}%, ${26 + random() * 34}%)`;
          const [w, h] = [wide * (0.08 + random() * 0.14), 10 + random() * 28];
          context.fillRect(at + random() * (wide - w), bottom - 6 - h - (ware % 2) * 44, w, h);
        }
        const shine = context.createLinearGradient(at, 604, at + wide, bottom);
        shine.addColorStop(0, "rgba(190,208,226,0.55)"); shine.addColorStop(0.35, "rgba(190,208,226,0.12)"); shine.addColorStop(0.36, "rgba(190,208,226,0.3)"); shine.addColorStop(0.6, "rgba(190,208,226,0.05)");
        context.fillStyle = shine;
        context.fillRect(at, 604, wide, bottom - 604);
      }
      if (door) {
        context.fillStyle = "#d8d2c4";
        context.fillRect(left + 70, 680, 5, 24);
      }
      context.fillStyle = "rgba(0,0,0,0.35)";
      context.fillRect(x, 596, CELL, 8);
      if (column % 4 === 0 || column % 4 === 3) {
        for (let stripe = 0; stripe < 16; stripe++) {
          context.fillStyle = stripe % 2 ? "#e9e2d2" : column === 0 ? "#a2443c" : "#5d7a58";
          context.fillRect(x + stripe * 16, 596, 16, 40 + (stripe % 2) * 3);
        }
        context.fillStyle = "rgba(0,0,0,0.25)";
        context.fillRect(x, 639, CELL, 12);
      }
    }
  });
  texture.repeat.set(1, 1);
  return texture;
};

/** A dome of sky around the eye: horizon, zenith, a sun that is only guessed. */
export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = { low: { value: new THREE.Color() }, high: { value: new THREE.Color() }, sun: { value: new THREE.Vector3(0.45, -0.35, 0.82).normalize() }, glow: { value: 1 }, cloudy: { value: 1 }, woods: { value: new THREE.Color() } };

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms, side: THREE.BackSide, depthWrite: false, depthTest: false, fog: false,
      vertexShader: "varying vec3 vWay; void main() { vWay = position; vec4 at = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position = at.xyww; }",
      fragmentShader: `varying vec3 vWay; uniform vec3 low; uniform vec3 high; uniform vec3 sun; uniform float glow; uniform float cloudy; uniform vec3 woods;
        float chance(vec2 p) { p = fract(p * vec2(0.1031, 0.1030)); p += dot(p, p.yx + 33.33); return fract((p.x + p.y) * p.x); }
        float wave(vec2 p) {
          vec2 at = floor(p), t = fract(p);
          t = t * t * (3.0 - 2.0 * t);
          return mix(mix(chance(at), chance(at + vec2(1.0, 0.0)), t.x), mix(chance(at + vec2(0.0, 1.0)), chance(at + 1.0), t.x), t.y);
        }
        float clouds(vec2 p) {
          float sum = 0.0, part = 0.5;
          for (int octave = 0; octave < 5; octave++) { sum += part * wave(p); p = mat2(1.6, 1.2, -1.2, 1.6) * p + 17.0; part *= 0.5; }
          return sum;
        }
        void main() {
          vec3 way = normalize(vWay);
          float up = clamp(way.z, 0.0, 1.0);
          vec3 c = mix(low, high, 1.0 - exp(-up * 3.2));
          // Towards the horizon, hills and woods in the haze.
          float round = atan(way.y, way.x);
          float ridge = 0.010 + 0.016 * (0.5 + 0.5 * sin(round * 3.0 + 1.3)) * (0.6 + 0.4 * sin(round * 7.0)) + 0.0035 * wave(vec2(round * 40.0, 3.0)) + 0.0016 * wave(vec2(round * 160.0, 9.0));
          // Clouds lie on a layer far above, thinner and smaller towards the horizon.
          vec2 over = way.xy / max(way.z, 0.02) * 0.9;
          float heap = clouds(over), cover = smoothstep(0.50, 0.78, heap) * smoothstep(0.03, 0.22, way.z) * cloudy;
          vec3 white = mix(low * 0.92, vec3(1.0, 0.985, 0.96), smoothstep(0.5, 0.9, clouds(over + sun.xy * 0.12) * 0.4 + heap * 0.6));
          c = mix(c, white, cover * 0.85);
          c += glow * vec3(1.0, 0.92, 0.75) * (0.10 * pow(max(dot(way, sun), 0.0), 8.0) + 0.6 * pow(max(dot(way, sun), 0.0), 700.0));
          c = mix(c, mix(low, woods, 0.34), smoothstep(ridge + 0.0012, ridge - 0.0012, way.z) * smoothstep(-0.006, 0.0, way.z));
          gl_FragColor = vec4(c, 1.0);
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  /** The colour of the zenith and the way to the sun. */
  shine(zenith: string, sun: THREE.Vector3) {
    this.uniforms.high.value.set(zenith);
    this.uniforms.sun.value.copy(sun);
  }

  paint(dark: boolean, haze: THREE.Color) {
    this.uniforms.low.value.copy(haze);
    this.uniforms.high.value.set(dark ? "#0a1122" : "#5f8fc9");
    this.uniforms.glow.value = dark ? 0 : 1;
    this.uniforms.cloudy.value = dark ? 0.12 : 0.9;
    this.uniforms.woods.value.set(dark ? "#0c1118" : "#5d7457");
  }
}
