import { useView } from '../state/use-view.js';

interface TabsProps {
  readonly label: string;
  /** The parameter of the address that has the shown one; the first is shown without it. */
  readonly name: string;
  readonly tabs: readonly (readonly [value: string, label: string])[];
}

/** Links between the views of one thing. */
export function Tabs({ label, name, tabs }: TabsProps) {
  const { query, linkTo } = useView();
  const first = tabs[0]?.[0];
  const shown = query[name] ?? first;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([value, text]) => (
        <a
          key={value}
          href={linkTo({ [name]: value === first ? undefined : value })}
          aria-current={value === shown ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
