import { MetadataText } from '../http/body/metadata-text.js';
import { zoneWarnings } from './zone-warnings.js';

const warned = (metadata: object, time_zone?: string) =>
  zoneWarnings({ metadata: new MetadataText(JSON.stringify(metadata), metadata), ...(time_zone && { time_zone }) });

describe('a body whose metadata seems to name a zone', () => {
  it.each([
    ['time_zone', 'Berlin'],
    ['time_zone', 'UTC+1'],
    ['timezone', 'Europe/Berlin'],
    ['timeZone', 'Europe/Berlin'],
    ['tz', 'Europe/Berlin'],
  ])('is warned that it is not read: %s %s', (name, zone) =>
    expect(warned({ channel: 'web', [name]: zone })).toEqual([
      `metadata.${name} is not read as a time zone; send the IANA name as 'time_zone', beside 'metadata'`,
    ]),
  );

  it('is not warned where it is read, or where the body names the zone itself', () => {
    expect(warned({ time_zone: 'Europe/Berlin', tz: 'x' })).toEqual([]);
    expect(warned({ timezone: 'Berlin' }, 'Europe/Berlin')).toEqual([]);
    expect(warned({ channel: 'web', city: 'Vatz' })).toEqual([]);
    expect(zoneWarnings({})).toEqual([]);
  });
});
