// SPDX-License-Identifier: Apache-2.0
// Draws the module's scenes on a canvas.
"use strict";

const kRectangle = 0, kCircle = 1, kLine = 2, kPolygon = 3, kText = 4;

const cssColour = c => `rgba(${c[0]},${c[1]},${c[2]},${c[3] / 255})`;

// In the dark theme, drawings on light paper are on dark paper: greys are inverted, colours stay.
function darkColour(c) {
  const high = Math.max(c[0], c[1], c[2]), low = Math.min(c[0], c[1], c[2]);
  if (high - low > 40) return cssColour(c);
  const [r, g, b] = [21, 27, 35].map((paper, i) => Math.round(paper + (255 - c[i]) * (235 - paper) / 255));
  return `rgba(${r},${g},${b},${c[3] / 255})`;
}

class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", {alpha: false});
    this.view = {left: -1, bottom: -1, right: 1, top: 1};
    this.picture = document.createElement("canvas");
  }

  // Matches the canvas to its size on the screen. The scene's view is centred and as large as possible.
  fit() {
    const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const v = this.view;
    this.scale = Math.min(width / (v.right - v.left), height / (v.top - v.bottom));
    this.x0 = (width - this.scale * (v.right - v.left)) / 2 - this.scale * v.left;
    this.y0 = (height - this.scale * (v.top - v.bottom)) / 2 + this.scale * v.top;
  }

  // The world coordinates of a pointer event.
  worldOf(event) {
    const box = this.canvas.getBoundingClientRect(), ratio = this.canvas.width / box.width;
    return {x: ((event.clientX - box.left) * ratio - this.x0) / this.scale,
            y: (this.y0 - (event.clientY - box.top) * ratio) / this.scale};
  }

  draw(scene) {
    this.view = scene;
    this.fit();
    const c = this.context, [r, g, b] = scene.background;
    const invert = document.documentElement.dataset.theme === "dark" && !scene.frame && Math.min(r, g, b) > 150;
    this.colour = invert ? darkColour : cssColour;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = this.colour(scene.background);
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (scene.frame) this.drawFrame(scene);
    c.setTransform(this.scale, 0, 0, -this.scale, this.x0, this.y0);
    c.lineCap = c.lineJoin = "round";
    for (const shape of scene.shapes) this.drawShape(shape);
  }

  drawFrame(scene) {
    const {width, height, rgb} = scene.frame, c = this.context;
    this.picture.width = width;
    this.picture.height = height;
    const image = new ImageData(width, height);
    for (let from = 0, to = 0; from < rgb.length; to += 4) {
      image.data[to] = rgb[from++];
      image.data[to + 1] = rgb[from++];
      image.data[to + 2] = rgb[from++];
      image.data[to + 3] = 255;
    }
    this.picture.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(this.picture, this.x0 + this.scale * scene.left, this.y0 - this.scale * scene.top,
                this.scale * (scene.right - scene.left), this.scale * (scene.top - scene.bottom));
  }

  drawShape(s) {
    const c = this.context;
    if (s.kind === kText) return this.drawText(s);
    c.save();
    c.beginPath();
    if (s.kind === kRectangle) {
      c.translate(s.x, s.y);
      c.rotate(s.angle);
      c.rect(-s.w / 2, -s.h / 2, s.w, s.h);
    }
    if (s.kind === kCircle) c.arc(s.x, s.y, s.radius, 0, 2 * Math.PI);
    if (s.kind === kLine) {
      c.moveTo(s.x, s.y);
      c.lineTo(s.x + s.w, s.y + s.h);
    }
    if (s.kind === kPolygon) {
      for (let i = 0; i + 1 < s.extra.length; i += 2) c.lineTo(s.extra[i], s.extra[i + 1]);
      c.closePath();
    }
    if (s.fill[3] > 0 && s.kind !== kLine) {
      c.fillStyle = this.colour(s.fill);
      c.fill();
    }
    if (s.stroke[3] > 0 && s.strokeWidth > 0) {
      c.strokeStyle = this.colour(s.stroke);
      c.lineWidth = Math.max(s.strokeWidth, 0.5 / this.scale);
      c.stroke();
    }
    c.restore();
  }

  drawText(s) {
    const c = this.context;
    c.save();
    c.translate(s.x, s.y);
    c.rotate(s.angle);
    c.scale(s.h / 10, -s.h / 10);  // letters are 10 units high, because browsers round small font sizes
    c.font = "600 14px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = this.colour(s.fill);
    c.fillText(String.fromCharCode(...s.extra), 0, 0);
    c.restore();
  }
}
