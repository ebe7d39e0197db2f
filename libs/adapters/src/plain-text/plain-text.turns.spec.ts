import { MdastPlainText } from './plain-text.mdast.js';

const long = '**so** it [goes](https://x.y) on and on. '.repeat(60);

describe('long texts of several projects', () => {
  it('are stripped in turn: whoever has one waits for none of the many of another behind it', async () => {
    const plainText = new MdastPlainText();
    const stripped: string[] = [];
    const strip = (projectId: string) => plainText.strip(long, projectId).then(() => stripped.push(projectId));
    const many = Array.from({ length: 5 }, () => strip('prj_many'));
    await Promise.all([...many, strip('prj_one'), strip('prj_other')]);
    expect(stripped.slice(0, 4).toSorted()).toEqual(['prj_many', 'prj_many', 'prj_one', 'prj_other']);
  });
});
