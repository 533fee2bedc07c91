import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One package, two pages, each a single file: `vite build` makes the replay page, `vite build --mode studio` the studio.
export default defineConfig(({ mode }) => ({
  plugins: [viteSingleFile()],
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 4000,
    emptyOutDir: mode !== "studio",
    rollupOptions: { input: mode === "studio" ? "studio.html" : "index.html" },
  },
}));
