import type { ComponentChildren } from 'preact';
import { TEXTS } from '../texts.js';
import { formatCount } from './time.js';

interface Bar {
  /** ISO 8601, or the name of a bar that is no time. */
  readonly at: string;
  readonly values: readonly number[];
}

interface ChartProps extends BarsProps {
  readonly title: string;
  readonly format?: (value: number) => string;
  /** The table behind it, where it has more than these numbers. */
  readonly table?: ComponentChildren;
}

interface BarsProps {
  /** One for each value of a bar, from below, with its tone. */
  readonly series: readonly (readonly [name: string, tone: 'good' | 'bad' | 'warn' | 'plain'])[];
  readonly bars: readonly Bar[];
  /** What the bars are, where they are no times. */
  readonly of?: string | undefined;
}

const HEIGHT = 100;
/** Of more, names would be wider than their bars. */
const MAX_NAMES_IN_LINE = 6;
const hour = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** Stacked bars, with the same numbers as a table behind them. */
export function Chart({ title, series, bars, format = formatCount, of, table }: ChartProps) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const highest = Math.max(1, ...sums);
  return (
    <figure class="stack tight">
      <figcaption class="row apart">
        <strong>{title}</strong>
        <span class="small muted row">
          {series.map(([name, tone]) => (
            <span key={name}>
              <span class={`swatch ${tone}`} aria-hidden="true" /> {name}
            </span>
          ))}
          <span>{TEXTS.chart.max(format(Math.max(0, ...sums)))}</span>
        </span>
      </figcaption>
      <svg class="chart" viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {bars.map(({ at, values }, index) => {
          let top = HEIGHT;
          return values.map((value, which) => {
            const height = (value / highest) * HEIGHT;
            top -= height;
            return <rect key={`${at}${which}`} class={series[which]?.[1]} x={index * 10 + 1} y={top} width={8} height={height} />;
          });
        })}
      </svg>
      <Axis bars={bars} of={of} />
      <details class="small">
        <summary>{TEXTS.chart.table}</summary>
        {table ?? <Numbers series={series} bars={bars} format={format} of={of} />}
      </details>
    </figure>
  );
}

/** Names of all bars, or the times of the first and the last; the table has them all. */
function Axis({ bars, of }: Pick<BarsProps, 'bars' | 'of'>) {
  const ends = of === undefined ? [bars[0], bars.at(-1)] : bars;
  const names = bars.length > MAX_NAMES_IN_LINE ? 'even upright' : 'even';
  return (
    <div class={`axis small muted ${of === undefined ? '' : names}`} aria-hidden="true">
      {ends.map((bar) => bar && <span key={bar.at}>{of === undefined ? hour.format(new Date(bar.at)) : bar.at}</span>)}
    </div>
  );
}

function Numbers({ series, bars, format, of }: BarsProps & { readonly format: (value: number) => string }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{of ?? TEXTS.chart.from}</th>
            {series.map(([name]) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ at, values }) => (
            <tr key={at}>
              <td>{of === undefined ? <time dateTime={at}>{hour.format(new Date(at))}</time> : at}</td>
              {values.map((value, which) => (
                <td key={which} class="number">
                  {format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
