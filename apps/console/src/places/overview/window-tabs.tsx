import { useView } from '../../state/use-view.js';
import { WORDS } from './texts.js';

export type Window = keyof typeof WORDS.windows;

/** How far back the charts reach, as the address says. */
export function useWindow(): Window {
  const { query } = useView();
  const window = query['window'];
  return isWindow(window) ? window : '24h';
}

export function WindowTabs() {
  const { linkTo } = useView();
  const window = useWindow();
  return (
    <nav class="tabs" aria-label={WORDS.window}>
      {Object.entries(WORDS.windows).map(([each, word]) => (
        <a key={each} href={linkTo({ window: each })} aria-current={each === window ? 'page' : undefined}>
          {word}
        </a>
      ))}
    </nav>
  );
}

function isWindow(text: string | undefined): text is Window {
  return text !== undefined && text in WORDS.windows;
}
