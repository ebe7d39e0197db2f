import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './planted-tree.js';

const gateway = join(root, 'apps/gateway/src');
/** The pages themselves. */
const NO_INTERFACE = /^operations\//;
const isHidden = (text: string) => text.includes('ApiExclude');

describe('a route of the client or the admin API', () => {
  it('is in its document, from which its tests are made: who may ask for what, and whose things it shows', () => {
    const files = readdirSync(gateway, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const routed = files.filter((name) => !NO_INTERFACE.test(name));
    expect(routed.length).toBeGreaterThan(50);
    expect(routed.filter((name) => isHidden(readFileSync(join(gateway, name), 'utf8')))).toEqual([]);
  });

  it.each([
    '@ApiExcludeEndpoint()\n  @Get()',
    '@ApiExcludeController()\n@Controller()',
    'export const Unlisted = () => ApiExcludeEndpoint();',
  ])('would be seen to hide: %s', (text) => expect(isHidden(text)).toBe(true));
});
