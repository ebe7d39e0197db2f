import { specFor } from '@testing/decider-spec';
import { audited, REQUEST } from '@testing/audit-events';
import { auditDecider } from './audit.decider.js';
import { auditDayOf, auditRetireAt } from './audit-window.js';

const { given } = specFor(auditDecider);
const audit = { type: 'AuditRequest', at: 1, entryId: 'aud_1', request: REQUEST } as const;

describe('a request to the admin API', () => {
  it('is recorded, whatever was before it', () => {
    given().when(audit).then(audited('aud_1', 1));
    given(audited('aud_1', 1)).when(audit).then(audited('aud_1', 1));
  });

  it('is of the day in UTC', () => {
    expect(auditDayOf(Date.parse('2026-03-01T00:30:00+01:00'))).toBe('2026-02-28');
    expect(auditDayOf(Date.parse('2026-03-01T00:00:00Z'))).toBe('2026-03-01');
  });

  it('is kept until the last of its day is ninety days old', () => {
    const until = Date.parse('2026-05-31T00:00:00Z');
    expect(auditRetireAt(Date.parse('2026-03-01T00:00:00Z'))).toBe(until);
    expect(auditRetireAt(Date.parse('2026-03-01T23:59:59.999Z'))).toBe(until);
    expect(auditRetireAt(Date.parse('2026-03-02T00:00:00Z'))).toBeGreaterThan(until);
  });
});
