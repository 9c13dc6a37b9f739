import SQLite

/// The database of one account. What must never be broken stands here as a constraint before it stands in Swift.
enum Schema {
    static let migrator: Migrator = {
        var migrator = Migrator()
        migrator.add("0001 people", people)
        migrator.add("0001 conversations", conversations)
        migrator.add("0001 messages", messages)
        migrator.add("0001 outbox", outbox)
        migrator.add("0002 epochs", epochs)
        migrator.add("0003 lost chats", lostChats)
        migrator.add("0004 receipt times", receiptTimes)
        return migrator
    }()

    /// Since the server began a new epoch a conversation `awaits` its record, then the agreement on what both hold; until
    /// then its numbers and its messages' are the former epoch's. `heard…`: what is known meanwhile of the new numbers.
    /// `renumbered` counts the epochs that the conversation has been through; `agreedSeq` is where the last one began.
    ///
    /// `lostMessages` are others' that the server lost: they stand behind the message `afterSeq` until their author's
    /// device sends them again.
    private static let epochs = """
        ALTER TABLE conversations ADD COLUMN awaits TEXT CHECK (awaits IN ('record', 'agreement'));
        ALTER TABLE conversations ADD COLUMN heardChange INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE conversations ADD COLUMN heardUnread INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE conversations ADD COLUMN renumbered INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE conversations ADD COLUMN agreedSeq INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE lostMessages (
            localID INTEGER PRIMARY KEY,
            conversationID TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            senderID TEXT NOT NULL,
            clientMessageID TEXT NOT NULL,
            afterSeq INTEGER NOT NULL CHECK (afterSeq >= 0),
            isMine INTEGER NOT NULL CHECK (isMine IN (0, 1)),
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            editedAt INTEGER,
            hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
            UNIQUE (conversationID, senderID, clientMessageID),
            CHECK (body = '' OR hidden = 0)
        ) STRICT;
        """

    /// The server has forgotten the whole conversation, and there is no friend to go on with yet: it stays to be read.
    private static let lostChats = """
        ALTER TABLE conversations ADD COLUMN isLost INTEGER NOT NULL DEFAULT 0 CHECK (isLost IN (0, 1));
        """

    /// `members`: when each watermark came to where it is. `messages`: when it passed them, on one's own. Those up to
    /// `deliveredFrom` and `readFrom` were passed before this device heard of times: they have none.
    private static let receiptTimes = """
        ALTER TABLE members ADD COLUMN deliveredAt INTEGER;
        ALTER TABLE members ADD COLUMN readAt INTEGER;
        ALTER TABLE members ADD COLUMN deliveredFrom INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE members ADD COLUMN readFrom INTEGER NOT NULL DEFAULT 0;
        UPDATE members SET deliveredFrom = lastDeliveredSeq, readFrom = lastReadSeq;
        ALTER TABLE messages ADD COLUMN deliveredAt INTEGER;
        ALTER TABLE messages ADD COLUMN readAt INTEGER;
        """

    /// Tombstones (`removed`) stay, so that a late answer with a smaller version cannot bring anybody back. No foreign
    /// keys to `users`: a tombstone may come for somebody this device never saw.
    private static let people = """
        CREATE TABLE users (
            id TEXT PRIMARY KEY NOT NULL,
            username TEXT,
            displayName TEXT,
            about TEXT NOT NULL,
            avatarURL TEXT,
            isDeleted INTEGER NOT NULL CHECK (isDeleted IN (0, 1)),
            version INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE friends (
            userID TEXT PRIMARY KEY NOT NULL,
            since INTEGER NOT NULL,
            removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
            version INTEGER NOT NULL,
            lastSeenAt INTEGER,
            presenceAt INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE friendRequests (
            id TEXT PRIMARY KEY NOT NULL,
            fromID TEXT NOT NULL,
            toID TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'cancelled')),
            createdAt INTEGER NOT NULL,
            version INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE blocks (
            userID TEXT PRIMARY KEY NOT NULL,
            createdAt INTEGER NOT NULL,
            removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
            version INTEGER NOT NULL
        ) STRICT;
        """

    /// `topSeq`: everything from `historyFloor` to here is stored or stands in `holes`. `syncedChange`: all changes up
    /// to here are applied. Unread messages are counted in two parts: those loaded here, kept exact by each
    /// transaction, and those below the floor, which only the server knows.
    private static let conversations = """
        CREATE TABLE conversations (
            id TEXT PRIMARY KEY NOT NULL,
            type TEXT NOT NULL,
            title TEXT,
            avatarURL TEXT,
            peerID TEXT,
            lastSeq INTEGER NOT NULL,
            lastChange INTEGER NOT NULL,
            topSeq INTEGER NOT NULL,
            syncedChange INTEGER NOT NULL,
            historyFloor INTEGER NOT NULL CHECK (historyFloor BETWEEN 1 AND topSeq + 1),
            unreadLoaded INTEGER NOT NULL DEFAULT 0 CHECK (unreadLoaded >= 0),
            unreadBelowFloor INTEGER NOT NULL DEFAULT 0 CHECK (unreadBelowFloor >= 0),
            myReadSeq INTEGER NOT NULL DEFAULT 0,
            mutedUntil INTEGER,
            archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
            pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
            serverMutedUntil INTEGER,
            serverArchived INTEGER NOT NULL DEFAULT 0 CHECK (serverArchived IN (0, 1)),
            serverPinned INTEGER NOT NULL DEFAULT 0 CHECK (serverPinned IN (0, 1)),
            createdAt INTEGER NOT NULL,
            lastActivityAt INTEGER NOT NULL,
            pendingActivityAt INTEGER,
            version INTEGER NOT NULL,
            isGone INTEGER NOT NULL DEFAULT 0 CHECK (isGone IN (0, 1)),
            CHECK (topSeq <= lastSeq),
            CHECK (syncedChange <= lastChange)
        ) STRICT;

        CREATE TABLE members (
            conversationID TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            userID TEXT NOT NULL,
            role TEXT NOT NULL,
            lastDeliveredSeq INTEGER NOT NULL,
            lastReadSeq INTEGER NOT NULL,
            joinedSeq INTEGER NOT NULL,
            undelivered TEXT NOT NULL,
            PRIMARY KEY (conversationID, userID),
            CHECK (lastReadSeq <= lastDeliveredSeq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE holes (
            conversationID TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            fromSeq INTEGER NOT NULL,
            toSeq INTEGER NOT NULL,
            PRIMARY KEY (conversationID, fromSeq),
            CHECK (fromSeq <= toSeq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE drafts (
            conversationID TEXT PRIMARY KEY NOT NULL,
            text TEXT NOT NULL CHECK (text <> ''),
            updatedAt INTEGER NOT NULL
        ) STRICT;
        """

    /// `localID` is the order in which rows came here: what has no `seq` yet is shown in it. Only a sender's own client
    /// message ids are unique, so the index holds this account's; others' messages are told apart by `id`.
    private static let messages = """
        CREATE TABLE messages (
            localID INTEGER PRIMARY KEY,
            id TEXT UNIQUE,
            clientMessageID TEXT NOT NULL,
            conversationID TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            seq INTEGER CHECK (seq > 0),
            change INTEGER NOT NULL,
            senderID TEXT NOT NULL,
            isMine INTEGER NOT NULL CHECK (isMine IN (0, 1)),
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            editedAt INTEGER,
            deletedAt INTEGER,
            replyToID TEXT,
            hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
            deletion TEXT CHECK (deletion IN ('me', 'everyone')),
            localStatus TEXT NOT NULL CHECK (localStatus IN ('pending', 'failed', 'confirmed')),
            failureCode TEXT,
            UNIQUE (conversationID, seq),
            CHECK ((seq IS NULL) = (id IS NULL)),
            CHECK ((seq IS NULL) = (localStatus <> 'confirmed')),
            CHECK ((failureCode IS NULL) = (localStatus <> 'failed')),
            CHECK (body = '' OR (deletedAt IS NULL AND hidden = 0))
        ) STRICT;

        CREATE UNIQUE INDEX ownMessages ON messages (clientMessageID) WHERE isMine = 1;

        CREATE TABLE hiddenMarks (
            messageID TEXT PRIMARY KEY NOT NULL,
            conversationID TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// `attempts` counts before the entry leaves: above zero, the server may have it. `held`: the server itself named
    /// `nextAttemptAt`, so a new connection does not shorten it. Ids are never given twice, so that an answer cannot
    /// meet another entry.
    private static let outbox = """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            lane TEXT NOT NULL,
            clientMessageID TEXT UNIQUE,
            payload TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            faults INTEGER NOT NULL DEFAULT 0,
            nextAttemptAt INTEGER,
            held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
            failureCode TEXT,
            lastError TEXT,
            createdAt INTEGER NOT NULL,
            CHECK ((failureCode IS NULL) = (state <> 'failed')),
            CHECK (held = 0 OR nextAttemptAt IS NOT NULL)
        ) STRICT;

        CREATE INDEX outboxLanes ON outbox (state, lane, id);

        CREATE TABLE syncState (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """
}
