import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './planted-tree.js';

const gateway = join(root, 'apps/gateway/src');
/** What no key of a client opens. */
const NOT_FOR_CLIENTS = /^(?:admin|operations)\//;
const isHidden = (text: string) => text.includes('ApiExclude');

describe('a route of the client API', () => {
  it('is in the document, from which its tests are made: who may ask for what, and whose things it shows', () => {
    const files = readdirSync(gateway, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const clients = files.filter((name) => !NOT_FOR_CLIENTS.test(name));
    expect(clients.length).toBeGreaterThan(50);
    expect(clients.filter((name) => isHidden(readFileSync(join(gateway, name), 'utf8')))).toEqual([]);
  });

  it.each([
    '@ApiExcludeEndpoint()\n  @Get()',
    '@ApiExcludeController()\n@Controller()',
    'export const Unlisted = () => ApiExcludeEndpoint();',
  ])('would be seen to hide: %s', (text) => expect(isHidden(text)).toBe(true));
});
