/** A URL with several hosts, as libpq reads it, as one URL for each of them. */
export function hostUrls(url: string): readonly string[] {
  const [, start = '', hosts = '', end = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (start === '') return [url];
  // For libpq, which would ask replicas otherwise; we never do.
  const rest = end.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  );
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
}
