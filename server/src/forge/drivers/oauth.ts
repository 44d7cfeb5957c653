/** Sign-in by OAuth 2, with `oauth4webapi` for the protocol. */
import * as oauth from 'oauth4webapi'
import { ForgeError, type ForgeSettings, type ForgeToken, type OAuthSignIn } from '../driver.ts'
import { Json } from '../hooks/json.ts'
import { boundedFetch } from './bounded-fetch.ts'

interface Endpoints {
  title: string
  /** Below the forge's address. */
  authorize: string
  token: string
  scope: string
  /** Errors, in addition to those of the protocol, that mean an invalid code or refresh token. */
  isDead?: (error: string, description: string) => boolean
}

/** Tokens are short; a page of HTML is none. */
const maxTokenBytes = 100_000

const dead = (title: string): ForgeError =>
  new ForgeError('unauthorized', `${title} rejected the code or the refresh token.`)

/** Errors of the protocol, of which only an answer of the forge is the person's business. */
const inWords = ({ title, isDead }: Endpoints, error: unknown): unknown => {
  if (error instanceof ForgeError) return error
  if (error instanceof oauth.ResponseBodyError) {
    const refusals = ['invalid_grant', 'access_denied', 'bad_verification_code', 'bad_refresh_token']
    if (refusals.includes(error.error) || isDead?.(error.error, error.error_description ?? '')) return dead(title)
    const detail = /^[a-z_]{1,60}$/.test(error.error) ? ` (${error.error})` : ''
    return new ForgeError('refused', `${title} did not issue a token${detail}: check the client ID and secret.`)
  }
  return new ForgeError('invalid', `${title} did not return a usable token.`)
}

/** GitHub reports OAuth errors with status 200; the protocol requires 400. */
const asRefusal = async (response: Response): Promise<Response> => {
  const text = await response.text()
  const { status, headers } = response
  let isError = false
  try {
    isError = new Json(JSON.parse(text)).text('error') !== ''
  } catch {
    // The protocol library's own check reports it.
  }
  return new Response(text, { status: isError && response.ok ? 400 : status, headers })
}

const tokenOf = (title: string, answer: oauth.TokenEndpointResponse, now: number): ForgeToken => {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer
  if (!/^[\x21-\x7e]{1,8192}$/.test(access)) throw new ForgeError('invalid', `${title} did not return a usable token.`)
  return {
    access,
    ...(refresh && { refresh }),
    ...(seconds !== undefined && seconds > 0 && { expiresAtMs: now + seconds * 1_000, lifeMs: seconds * 1_000 }),
  }
}

export function oauthSignIn(settings: ForgeSettings, endpoints: Endpoints): OAuthSignIn {
  const { title, authorize, token, scope } = endpoints
  const api = settings.apiUrl ?? settings.url
  const server: oauth.AuthorizationServer = { issuer: settings.url, token_endpoint: `${api}${token}` }
  const client: oauth.Client = { client_id: settings.clientId ?? '' }

  const options = (signal?: AbortSignal) => {
    const limits = { signal, passRefusals: true, maxBytes: maxTokenBytes }
    const send = boundedFetch({ title, base: api }, limits)
    return {
      [oauth.customFetch]: async (url: string, init: RequestInit) => asRefusal(await send(url, init)),
      // Forges in a home network have no certificate.
      [oauth.allowInsecureRequests]: true,
    }
  }

  /**
   * An application without a secret cannot sign in users, but everything else in the driver works.
   */
  const auth = (): oauth.ClientAuth => oauth.ClientSecretPost(settings.clientSecret ?? '')

  return {
    kind: 'oauth',
    authorizeUrl({ state, redirectUri, challenge }) {
      const url = new URL(`${settings.url}${authorize}`)
      url.searchParams.set('client_id', client.client_id)
      url.searchParams.set('redirect_uri', redirectUri)
      url.searchParams.set('response_type', 'code')
      url.searchParams.set('state', state)
      url.searchParams.set('code_challenge', challenge)
      url.searchParams.set('code_challenge_method', 'S256')
      const scopes = settings.scope ?? scope
      if (scopes) url.searchParams.set('scope', scopes)
      return url.href
    },
    async exchange({ code, redirectUri, verifier }, signal) {
      try {
        // The caller has compared the state; the library wants to have seen it.
        const answer = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          auth(),
          answer,
          redirectUri,
          verifier,
          options(signal),
        )
        return tokenOf(title, await oauth.processAuthorizationCodeResponse(server, client, response), Date.now())
      } catch (error) {
        throw inWords(endpoints, error)
      }
    },
    async refresh(refreshToken, signal) {
      try {
        const response = await oauth.refreshTokenGrantRequest(server, client, auth(), refreshToken, options(signal))
        return tokenOf(title, await oauth.processRefreshTokenResponse(server, client, response), Date.now())
      } catch (error) {
        throw inWords(endpoints, error)
      }
    },
  }
}
