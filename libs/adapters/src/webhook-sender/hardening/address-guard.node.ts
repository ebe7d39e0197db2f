import { isIP } from 'node:net';
import { MAX_URL_CHARACTERS } from '@domain/endpoint/endpoint';
import { AddressGuard } from '@ports/address-guard.port';
import { AddressRanges, isPublicAddress } from './address-ranges.js';

export interface AddressRules {
  /** Allows `http:` targets, and port 80 with them. */
  readonly allowHttp: boolean;
  readonly allowCidrs: readonly string[];
}

const MAX_HOST_LENGTH = 253;
/** Host names, with the underscore that some have. */
const LABELS = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const LOOPBACK = ['127.0.0.1', '::1'];
const WEB_ORIGIN = /^(https?):\/\/([^/?#]+)/i;
const UNPRINTED_OR_BACKSLASH = /[\p{Z}\p{C}\\]/u;
const LOCALHOST = /^(.+\.)?localhost$/;
const INSIDE_NAME = /^[^.]+$|\.(local|internal|localdomain|home\.arpa)$/;

/** Admits public addresses and those the operator allowed. Stops server-side request forgery by an endpoint's URL or address. */
export class NodeAddressGuard extends AddressGuard {
  private readonly opened: AddressRanges;
  /** The addresses of `localhost`, which is never looked up; empty unless allowed. */
  readonly loopback: readonly string[];

  constructor(private readonly rules: AddressRules) {
    super();
    this.opened = new AddressRanges(rules.allowCidrs);
    this.loopback = LOOPBACK.filter((address) => this.opened.contain(address));
  }

  admits(address: string): boolean {
    return isPublicAddress(address) || this.opened.contain(address);
  }

  isLocalhost(name: string): boolean {
    return LOCALHOST.test(name);
  }

  objection(url: string): string | null {
    if (url.length > MAX_URL_CHARACTERS) return `must not be longer than ${MAX_URL_CHARACTERS} characters`;
    if (UNPRINTED_OR_BACKSLASH.test(url)) return 'must not contain spaces, control characters or backslashes';
    const [, scheme, authority] = WEB_ORIGIN.exec(url) ?? [];
    const target = scheme && URL.canParse(url) ? new URL(url) : null;
    if (!target || !authority) return this.rules.allowHttp ? 'must be an http or https URL' : 'must be an https URL';
    if (target.protocol === 'http:' && !this.rules.allowHttp) return 'must use https';
    if (authority.includes('@')) return 'must not carry a user name or password';
    if (url.includes('#')) return 'must not have a fragment';
    return this.portObjection(target.port) ?? this.hostObjection(target.hostname);
  }

  private portObjection(port: string): string | null {
    const usual = this.rules.allowHttp ? ['80', '443'] : ['443'];
    const isOpen = port === '' || usual.includes(port) || Number(port) >= 1024;
    return isOpen ? null : `must use port ${usual.join(', ')} or one from 1024 on`;
  }

  private hostObjection(hostname: string): string | null {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal)) return this.admits(literal) ? null : 'must not name a private or reserved address';
    if (hostname.length > MAX_HOST_LENGTH || !LABELS.test(hostname)) return 'must name a host in its usual form';
    const isClosed = this.isLocalhost(hostname) ? this.loopback.length === 0 : this.opened.isEmpty && INSIDE_NAME.test(hostname);
    return isClosed ? 'must not name a host that is only known inside a network' : null;
  }
}
