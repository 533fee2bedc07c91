// The connection to the server: questions with answers, and the newest of everything as it comes.
import { decodeClips, inflate } from "../loom.js";
import type { Clip } from "../bodies";
import type { Answer } from "./protocol/Answer";
import type { Ask } from "./protocol/Ask";
import type { Scene } from "./protocol/Scene";
import type { State } from "./protocol/State";
import type { Tell } from "./protocol/Tell";
import type { Text } from "./protocol/Text";

const FRAME = 1, CLIPS = 2;

export interface Listener {
  scene(scene: Scene): void;
  state(state: State): void;
  text(text: Text): void;
  frame(bytes: ArrayBuffer): void;
  clips(generation: number, clips: Clip[]): void;
  connected(on: boolean): void;
}

export class Wire {
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private next = 1;
  /** Bytes that came, for the curious. */
  received = 0;

  constructor(private readonly token: string, private readonly listener: Listener) {
    this.connect();
  }

  private connect() {
    const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(this.token)}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.listener.connected(true);
    socket.onclose = () => {
      for (const answer of this.waiting.values()) answer({ came: "refused", why: "the server has gone", problems: [] });
      this.waiting.clear();
      this.listener.connected(false);
      setTimeout(() => this.connect(), 1000);
    };
    socket.onmessage = (event) => { if (typeof event.data === "string") this.tell(JSON.parse(event.data)); else this.take(event.data); };
    this.socket = socket;
  }

  private tell(tell: Tell) {
    if (tell.kind === "scene") this.listener.scene(tell);
    else if (tell.kind === "state") this.listener.state(tell);
    else if (tell.kind === "text") this.listener.text(tell);
    else {
      this.waiting.get(tell.id)?.(tell.answer);
      this.waiting.delete(tell.id);
    }
  }

  private take(bytes: ArrayBuffer) {
    this.received += bytes.byteLength;
    const head = new DataView(bytes);
    const kind = head.getUint32(0, true);
    if (kind === FRAME) this.listener.frame(bytes);
    else if (kind === CLIPS) {
      const generation = head.getUint32(4, true);
      inflate(new Uint8Array(bytes, 8)).then((plain) => this.listener.clips(generation, decodeClips(plain)));
    }
  }

  /** Asks, and waits for the answer. */
  ask(ask: Ask): Promise<Answer> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ came: "refused", why: "the server is not there", problems: [] });
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket!.send(JSON.stringify({ id, ask }));
    });
  }
}
