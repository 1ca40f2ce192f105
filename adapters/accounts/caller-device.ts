import { ipKeyGenerator } from 'express-rate-limit';
import type { Device } from '../../application/accounts/sessions/session-store.js';
import type { HttpRequest } from '../platform/http/request.js';

const USER_AGENT_MAX_LENGTH = 200;
/** Control characters and what is no text in a header's bytes. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Says where a session is begun. @param countryHeader what the proxy in front names the visitor's country in */
export class CallerDevice {
  constructor(private readonly countryHeader: string | undefined) {}

  of({ headers, ip }: HttpRequest): Device {
    const userAgent = (headers['user-agent'] ?? '').replace(UNPRINTABLE, '').slice(0, USER_AGENT_MAX_LENGTH);
    const country = this.countryHeader && headers[this.countryHeader];
    return {
      userAgent: userAgent || null,
      network: ip === undefined ? null : networkOf(ip),
      country: typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null,
    };
  }
}

/** So many addresses that it names no household. */
function networkOf(ip: string): string {
  const version4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(ip);
  return version4 ? `${version4[1]}.0/24` : ipKeyGenerator(ip, 48);
}
