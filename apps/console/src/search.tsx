import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { addressOfSearch } from './parts/id-link.js';
import { Form } from './parts/fields.js';
import { useProject } from './state/project.js';
import { TEXTS } from './texts.js';

/** Asks for the thing with an id, else for a list of what fits. `/` and Ctrl-K lead here. */
export function Search() {
  const { route } = useLocation();
  const project = useProject();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const toSearch = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && /^(input|textarea|select)$/i.test(event.target.tagName);
      const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
      if (!isAsked) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', toSearch);
    return () => removeEventListener('keydown', toSearch);
  }, []);
  const go = ({ q = '' }: Record<string, string>) => route(addressOfSearch(project, q.trim()));
  return (
    <Form role="search" class="" onSubmit={go}>
      <input ref={input} name="q" type="search" aria-label={TEXTS.search} placeholder={TEXTS.search} autoComplete="off" />
    </Form>
  );
}
