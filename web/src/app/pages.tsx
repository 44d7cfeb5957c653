import { lazyPage } from './lazy-page.tsx'

interface RepoProps {
  namespace: string
  name: string
}

/** Every page, each in a chunk of its own. */
export const DashboardPage = lazyPage(
  async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
)
export const AccountPage = lazyPage(async () => (await import('../features/account/account-page.tsx')).AccountPage)
export const FeedPage = lazyPage(async () => (await import('../features/feed/feed-page.tsx')).FeedPage)
export const UsersPage = lazyPage(async () => (await import('../features/users/users-page.tsx')).UsersPage)
export const WelcomePage = lazyPage(async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage)
export const LoginPage = lazyPage(async () => (await import('../features/welcome/login-page.tsx')).LoginPage)
export const LoginErrorPage = lazyPage(
  async () => (await import('../features/welcome/login-error-page.tsx')).LoginErrorPage,
)
export const InvitePage = lazyPage(async () => (await import('../features/welcome/invite-page.tsx')).InvitePage)
export const LogoutPage = lazyPage(async () => (await import('../features/welcome/logout-page.tsx')).LogoutPage)

export const RepositoryLayout = lazyPage<RepoProps & { children: React.ReactNode }>(
  async () => (await import('../features/repository/layout.tsx')).RepositoryLayout,
)
export const BuildsPage = lazyPage<RepoProps>(
  async () => (await import('../features/repository/builds-page.tsx')).BuildsPage,
)
export const BranchesPage = lazyPage<RepoProps>(
  async () => (await import('../features/repository/latest-page.tsx')).BranchesPage,
)
export const DeploymentsPage = lazyPage<RepoProps>(
  async () => (await import('../features/repository/latest-page.tsx')).DeploymentsPage,
)
export const SettingsLayout = lazyPage<RepoProps & { children: React.ReactNode }>(
  async () => (await import('../features/settings/layout.tsx')).SettingsLayout,
)
export const GeneralPage = lazyPage<RepoProps>(
  async () => (await import('../features/settings/general-page.tsx')).GeneralPage,
)
export const SecretsPage = lazyPage<RepoProps>(
  async () => (await import('../features/settings/secrets-page.tsx')).SecretsPage,
)
export const CronPage = lazyPage<RepoProps>(async () => (await import('../features/settings/cron-page.tsx')).CronPage)
export const AccessPage = lazyPage<RepoProps>(
  async () => (await import('../features/settings/access-page.tsx')).AccessPage,
)
export const BadgesPage = lazyPage<RepoProps>(
  async () => (await import('../features/settings/badges-page.tsx')).BadgesPage,
)
export const BuildPage = lazyPage<RepoProps & { build: number; stage: number; step: number }>(
  async () => (await import('../features/build/build-page.tsx')).BuildPage,
)
