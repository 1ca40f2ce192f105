import { ipKeyGenerator } from 'express-rate-limit';
import type { Device } from '../../application/accounts/sessions/session-store.js';
import type { HttpRequest } from '../platform/http/request.js';

const USER_AGENT_MAX_LENGTH = 200;
/** Control characters and non-ASCII bytes. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Describes the device of a new session. @param countryHeader the header in which the proxy sends the country */
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

/** The network is wide enough that it does not identify a household. */
function networkOf(ip: string): string {
  const version4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(ip);
  return version4 ? `${version4[1]}.0/24` : ipKeyGenerator(ip, 48);
}
