import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './planted-tree.js';

const folder = join(root, 'apps/gateway/src/v1');
const isHidden = (text: string) => /@ApiExclude/.test(text);

describe('a route of the client API', () => {
  it('is in the document, from which its tests are made: who may ask for what, and whose things it shows', () => {
    const hidden = readdirSync(folder).filter((name) => isHidden(readFileSync(join(folder, name), 'utf8')));
    expect(hidden).toEqual([]);
  });

  it.each(['@ApiExcludeEndpoint()\n  @Get()', '@ApiExcludeController()\n@Controller()'])('would be seen to hide: %s', (text) =>
    expect(isHidden(text)).toBe(true),
  );
});
