import { lazyPart } from '../ui/lazy-part.tsx'

interface RepoProps {
  namespace: string
  name: string
}

/** Every page, each in a chunk of its own. */
export const DashboardPage = lazyPart(
  async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
)
export const AccountPage = lazyPart(async () => (await import('../features/account/account-page.tsx')).AccountPage)
export const FeedPage = lazyPart(async () => (await import('../features/feed/feed-page.tsx')).FeedPage)
export const UsersPage = lazyPart(async () => (await import('../features/users/users-page.tsx')).UsersPage)
export const WelcomePage = lazyPart(async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage)
export const LoginPage = lazyPart(async () => (await import('../features/welcome/login-page.tsx')).LoginPage)
export const LoginErrorPage = lazyPart(
  async () => (await import('../features/welcome/login-error-page.tsx')).LoginErrorPage,
)
export const InvitePage = lazyPart(async () => (await import('../features/welcome/invite-page.tsx')).InvitePage)
export const LogoutPage = lazyPart(async () => (await import('../features/welcome/logout-page.tsx')).LogoutPage)

export const RepositoryLayout = lazyPart<RepoProps & { children: React.ReactNode }>(
  async () => (await import('../features/repository/layout.tsx')).RepositoryLayout,
)
export const BuildsPage = lazyPart<RepoProps>(
  async () => (await import('../features/repository/builds-page.tsx')).BuildsPage,
)
export const BranchesPage = lazyPart<RepoProps>(
  async () => (await import('../features/repository/latest-page.tsx')).BranchesPage,
)
export const DeploymentsPage = lazyPart<RepoProps>(
  async () => (await import('../features/repository/latest-page.tsx')).DeploymentsPage,
)
export const SettingsLayout = lazyPart<RepoProps & { children: React.ReactNode }>(
  async () => (await import('../features/settings/layout.tsx')).SettingsLayout,
)
export const GeneralPage = lazyPart<RepoProps>(
  async () => (await import('../features/settings/general-page.tsx')).GeneralPage,
)
export const SecretsPage = lazyPart<RepoProps>(
  async () => (await import('../features/settings/secrets-page.tsx')).SecretsPage,
)
export const CronPage = lazyPart<RepoProps>(async () => (await import('../features/settings/cron-page.tsx')).CronPage)
export const AccessPage = lazyPart<RepoProps>(
  async () => (await import('../features/settings/access-page.tsx')).AccessPage,
)
export const BadgesPage = lazyPart<RepoProps>(
  async () => (await import('../features/settings/badges-page.tsx')).BadgesPage,
)
export const BuildPage = lazyPart<RepoProps & { build: number; stage: number; step: number }>(
  async () => (await import('../features/build/build-page.tsx')).BuildPage,
)
