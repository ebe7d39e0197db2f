import { CopyButton } from '../../parts/copy-button.js';
import { Section } from '../../parts/place.js';
import { WORDS } from './texts.js';

/** The commands of the workbench, each as it is typed; words in capitals are the reader's. */
export function Commands() {
  return (
    <Section title={WORDS.terminal}>
      <p class="muted">{WORDS.terminalAbout}</p>
      <dl class="facts">
        {WORDS.commands.map(([words, about]) => {
          const line = `npm run projections -- ${words}`;
          return (
            <>
              <dt key={words}>{about}</dt>
              <dd class="row">
                <code>{line}</code>
                <CopyButton text={line} />
              </dd>
            </>
          );
        })}
      </dl>
    </Section>
  );
}
