// node tools/bundle.mjs <folder of the compiled gateway>: puts all that a start loads into a few files, in its `bundle/`.
// Finding and opening thousands of modules one by one takes a start longer than all that it then does.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const compiled = resolve(process.argv[2]);

/** They find files beside themselves. */
const FINDS_ITS_FILES = [/^@photostructure\/sqlite$/, /^swagger-ui-dist/];

/** What Nest would load if it were installed. */
const NEVER_INSTALLED = [
  /^@nestjs\/(platform-express|websockets)/,
  /^@fastify\/(static|view|multipart)$/,
  /^@grpc\//,
  /^@nats-io\//,
  /^(amqplib|amqp-connection-manager|ioredis|kafkajs|mqtt)$/,
];

const STRAY_IMPORT = /^\.\.\/.*\/((?:apps|libs)\/.+\.js)$/;

/** Nest's compiler plugin writes imports by way of the root of the disk, and escapes what a folder's name may hold beside ASCII. */
const strayImports = {
  name: 'stray-imports',
  resolveId(source, importer) {
    const [, inside] = STRAY_IMPORT.exec(source) ?? [];
    if (!inside || existsSync(resolve(dirname(importer), source))) return null;
    const meant = join(compiled, inside);
    return existsSync(meant) ? meant : null;
  },
};

/** Traces lead to the TypeScript sources, not to what the compiler made of them. */
const compilerMaps = {
  name: 'compiler-maps',
  load(id) {
    if (!id.startsWith(compiled) || !existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

/** A missing package must fail here, not at the first request that needs it. */
function refuseWarnings(level, { code, message }) {
  if (level === 'warn') throw new Error(`${code}: ${message}`);
}

const bundle = await rolldown({
  input: {
    main: join(compiled, 'apps/gateway/src/main.js'),
    'store.worker': join(compiled, 'libs/engine-embedded/src/writer/store.worker.js'),
  },
  platform: 'node',
  external: [...FINDS_ITS_FILES, ...NEVER_INSTALLED],
  plugins: [strayImports, compilerMaps],
  onLog: refuseWarnings,
});
await bundle.write({
  dir: join(compiled, 'bundle'),
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // V8 keeps the text of what it runs, two bytes a character where one of them needs two.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
});
await bundle.close();
