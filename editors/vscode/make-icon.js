// Draws icon.png from icon.svg: the marketplace takes no SVG, and the repository holds no binary files.

const fs = require('fs');
const path = require('path');
const { Resvg } = require('@resvg/resvg-js');

const svg = fs.readFileSync(path.join(__dirname, 'icon.svg'));
const drawn = new Resvg(svg, { fitTo: { mode: 'width', value: 256 } }).render().asPng();
fs.writeFileSync(path.join(__dirname, 'icon.png'), drawn);
