/** The login page of a brand or of a phisher who imitates it. */
import { escaped, logoOf } from './markup.ts';

export function loginPage(name: string, title: string, brand: string): { style: string; content: string } {
  return {
    style: `
body{min-height:100vh;display:grid;place-items:center;background:linear-gradient(160deg,var(--pale),#fff 60%)}
main{width:26rem;padding:2.6rem;border-radius:1.2rem;background:#fff;box-shadow:0 20px 60px #0000001f;border-top:6px solid var(--main)}
h1{margin:1.4rem 0 .3rem;font-size:1.5rem}
label{display:block;margin-top:1.1rem;font-size:.85rem;font-weight:600}
input{width:100%;margin-top:.3rem;padding:.75rem .9rem;border:1px solid #cbd0da;border-radius:.5rem;font:inherit}
main .button{width:100%;margin-top:1.6rem}
small{display:block;margin-top:1.2rem;color:#6b7280;text-align:center}`,
    content: `<main>${logoOf(brand)}
<h1>${escaped(title)}</h1><p>Sign in to continue to your account.</p>
<form method="post" action="/login">
<label>E-mail or customer number<input type="email" name="email" autocomplete="username" required></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required></label>
<button class="button" type="submit">Sign in</button>
</form>
<small>Forgot your password? &middot; Secured connection to ${escaped(name)}</small></main>`,
  };
}
