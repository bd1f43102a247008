// One import for an app: the client, and the store and the network that it runs on.
@_exported public import OfflineCore
@_exported public import StorageLMDB
@_exported public import Transport
