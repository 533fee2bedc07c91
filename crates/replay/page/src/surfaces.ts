// Plain textures, drawn by the page itself: paving, asphalt, plaster with windows; and the sky.
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

/** Asphalt or short grass: nothing but grain; 6 m. */
export const grain = () => painted(256, 6, (context, random) => {
  context.fillStyle = "rgb(226,226,226)";
  context.fillRect(0, 0, 256, 256);
  speckle(context, random, 14000, 0.09);
});

/** One storey of a house by 2.6 m: plaster, a window with sill and frame. */
export const facade = () => {
  const texture = painted(256, 1, (context, random) => {
    context.fillStyle = "rgb(236,232,224)";
    context.fillRect(0, 0, 256, 256);
    speckle(context, random, 5000, 0.03);
    const glass = context.createLinearGradient(0, 60, 90, 200);
    glass.addColorStop(0, "#8fa3b5"); glass.addColorStop(0.5, "#4e5d6c"); glass.addColorStop(1, "#39444f");
    context.fillStyle = "#f7f5f0";
    context.fillRect(78, 48, 100, 136);
    context.fillStyle = glass;
    context.fillRect(86, 56, 40, 120);
    context.fillRect(130, 56, 40, 120);
    context.fillStyle = "rgba(0,0,0,0.25)";
    context.fillRect(86, 56, 84, 8);
    context.fillStyle = "#c9c2b4";
    context.fillRect(70, 184, 116, 9);
    context.fillStyle = "rgba(0,0,0,0.10)";
    context.fillRect(70, 193, 116, 6);
    context.fillStyle = "rgba(0,0,0,0.07)";
    context.fillRect(0, 250, 256, 6);
  });
  texture.repeat.set(1, 1);
  return texture;
};

/** A dome of sky around the eye: horizon, zenith, a sun that is only guessed. */
export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = { low: { value: new THREE.Color() }, high: { value: new THREE.Color() }, sun: { value: new THREE.Vector3(0.45, -0.35, 0.82).normalize() }, glow: { value: 1 } };

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms, side: THREE.BackSide, depthWrite: false, depthTest: false, fog: false,
      vertexShader: "varying vec3 vWay; void main() { vWay = position; vec4 at = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position = at.xyww; }",
      fragmentShader: `varying vec3 vWay; uniform vec3 low; uniform vec3 high; uniform vec3 sun; uniform float glow;
        void main() {
          vec3 way = normalize(vWay);
          float up = clamp(way.z, 0.0, 1.0);
          vec3 c = mix(low, high, 1.0 - exp(-up * 3.2));
          c += glow * vec3(1.0, 0.92, 0.75) * (0.10 * pow(max(dot(way, sun), 0.0), 8.0) + 0.6 * pow(max(dot(way, sun), 0.0), 700.0));
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
  }
}
