/** The parts of the client library that the test uses; the package has no types. */
declare module 'drone-node' {
  type Answer = Promise<unknown>
  export class Client {
    constructor(config: { url: string; token: string })
    getToken(): Answer
    getSelf(): Answer
    updateSelf(self: object): Answer
    recentBuilds(): Answer
    selfRepos(params?: { latest?: boolean }): Answer
    syncRepos(params?: { async?: boolean }): Answer
    getRepos(page?: number, limit?: number): Answer
    getRepo(owner: string, name: string): Answer
    enableRepo(owner: string, name: string): Answer
    disableRepo(owner: string, name: string, remove?: boolean): Answer
    chownRepo(owner: string, name: string): Answer
    repairRepo(owner: string, name: string): Answer
    updateRepo(owner: string, name: string, settings: object): Answer
    incompleteBuilds(): Answer
    getBuilds(owner: string, name: string, page?: number, limit?: number): Answer
    purgeBuilds(owner: string, name: string, before: number): Answer
    latestBuild(owner: string, name: string, params?: { ref?: string; branch?: string }): Answer
    getBuild(owner: string, name: string, number: number): Answer
    retryBuild(owner: string, name: string, number: number, params?: Record<string, string>): Answer
    cancelBuild(owner: string, name: string, number: number): Answer
    promoteBuild(owner: string, name: string, number: number, target: string, params?: object): Answer
    rollbackBuild(owner: string, name: string, number: number, target: string, params?: object): Answer
    approveBuild(owner: string, name: string, number: number, stage: number): Answer
    declineBuild(owner: string, name: string, number: number, stage: number): Answer
    triggerBuild(owner: string, name: string, params?: { branch?: string; commit?: string }): Answer
    getLogs(owner: string, name: string, number: number, stage: number, step: number): Answer
    deleteLogs(owner: string, name: string, number: number, stage: number, step: number): Answer
    getSecrets(owner: string, name: string): Answer
    getSecret(owner: string, name: string, secret: string): Answer
    createSecret(owner: string, name: string, secret: object): Answer
    updateSecret(owner: string, name: string, secret: string, changes: object): Answer
    deleteSecret(owner: string, name: string, secret: string): Answer
    encryptSecret(owner: string, name: string, value: string): Answer
    signConfig(owner: string, name: string, config: string): Answer
    getCrons(owner: string, name: string): Answer
    getCron(owner: string, name: string, cron: string): Answer
    createCron(owner: string, name: string, cron: object): Answer
    updateCron(owner: string, name: string, cron: string, changes: object): Answer
    executeCron(owner: string, name: string, cron: string): Answer
    deleteCron(owner: string, name: string, cron: string): Answer
    getCollaborators(owner: string, name: string): Answer
    getCollaborator(owner: string, name: string, login: string): Answer
    deleteCollaborator(owner: string, name: string, login: string): Answer
    getUsers(): Answer
    getUser(login: string): Answer
    createUser(user: object): Answer
    updateUser(login: string, changes: object): Answer
    deleteUser(login: string): Answer
    userRepos(login: string): Answer
    getAllGlobalSecrets(): Answer
    getGlobalSecrets(namespace: string): Answer
    getGlobalSecret(namespace: string, name: string): Answer
    createGlobalSecret(namespace: string, secret: object): Answer
    updateGlobalSecret(namespace: string, name: string, changes: object): Answer
    deleteGlobalSecret(namespace: string, name: string): Answer
    getQueue(): Answer
    pauseQueue(): Answer
    resumeQueue(): Answer
    getSystemStats(): Answer
  }
}
