// Bundles apps/console into one page and its assets, compressed once here and embedded in the gateway's bundle.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const source = join(import.meta.dirname, '../../apps/console/src');
const ASSETS = '/admin/assets/';
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };
const STYLES = ['theme.css', 'layout.css', 'parts.css', 'times.css', 'places.css'];

const SHARED = /console[\\/]src[\\/](?:parts|state|api|texts)/;
const PLACE = /console[\\/]src[\\/]places[\\/]([\w-]+)[\\/]/;
/** What places share is one asset, and each place is another: they compress better than many small ones. */
const assetOf = (module) => (SHARED.test(module) ? 'parts' : (PLACE.exec(module)?.[1] ?? null));

const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

function file(name, text) {
  const bytes = Buffer.from(text);
  const encoded = (compressed) => compressed.toString('base64');
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return {
    type: TYPES[name.split('.').at(-1)] ?? 'text/html; charset=utf-8',
    etag: `"${etag}"`,
    br: encoded(brotliCompressSync(bytes, smallest)),
    gzip: encoded(gzipSync(bytes, { level: 9 })),
  };
}

function style() {
  const text = STYLES.map((name) => readFileSync(join(source, name), 'utf8')).join('\n');
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  return { name: `style-${hash}.css`, text };
}

async function scripts(onLog) {
  const bundle = await rolldown({
    input: { console: join(source, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(source, '../tsconfig.json'),
    onLog,
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: assetOf, debugName: 'assets' }] },
    minify: true,
    comments: false,
  });
  await bundle.close();
  return output;
}

/** @returns the page and its assets by name: each with its type, entity tag, and its brotli and gzip forms in base64 */
export async function buildConsole(onLog) {
  const [{ name: styleName, text: styleText }, chunks] = [style(), await scripts(onLog)];
  const entry = chunks.find(({ isEntry }) => isEntry);
  const preloads = entry.imports.map((name) => `<link rel="modulepreload" href="${ASSETS}${name}">\n`).join('');
  const page = readFileSync(join(source, 'page.html'), 'utf8')
    .replace('%STYLE%', ASSETS + styleName)
    .replace('%SCRIPT%', ASSETS + entry.fileName)
    .replace('%PRELOADS%', preloads);
  const assets = [{ fileName: styleName, code: styleText }, ...chunks].map(({ fileName, code }) => [
    fileName,
    file(fileName, code),
  ]);
  return { page: file('page', page), assets: Object.fromEntries(assets) };
}
