import SQLite

/// The whole database. Steps are named and never edited: a change of schema is a new step.
///
/// Ids are UUIDv7 text, times are milliseconds since 1970, flags are 0 or 1. The statements are written so that
/// PostgreSQL reads them too. `position` grows over the whole server and is given at a record's last mutation; it
/// is the record's `version` on the wire and what `GET /v1/sync` pages by.
enum Schema {
    static var migrator: Migrator {
        var migrator = Migrator()
        migrator.add("0001 first", operations + people + conversations + messages)
        migrator.add("0002 epochs", epochs)
        migrator.add("0003 receipt times", receiptTimes)
        return migrator
    }

    /// When each watermark came to where it is; NULL when it was there before there were times. A frozen view keeps
    /// those of its watermarks.
    private static let receiptTimes = """
        ALTER TABLE members ADD COLUMN delivered_at BIGINT;
        ALTER TABLE members ADD COLUMN read_at BIGINT;
        ALTER TABLE frozen_views ADD COLUMN delivered_at BIGINT;
        ALTER TABLE frozen_views ADD COLUMN read_at BIGINT;
        """

    /// One row while the database is in use, none in a backup: see `Epochs`.
    private static let epochs = """
        CREATE TABLE epochs (
            id TEXT NOT NULL PRIMARY KEY,
            began_at BIGINT NOT NULL
        );
        """

    private static let operations = """
        CREATE TABLE workspaces (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            client_key TEXT NOT NULL UNIQUE,
            secret_hash TEXT NOT NULL UNIQUE,
            created_at BIGINT NOT NULL
        );
        CREATE TABLE server_keys (
            name TEXT NOT NULL PRIMARY KEY,
            secret TEXT NOT NULL
        );
        -- Numbers that must never be given twice: `position` is kept above every position in use.
        CREATE TABLE counters (
            name TEXT NOT NULL PRIMARY KEY,
            value BIGINT NOT NULL
        );
        INSERT INTO counters (name, value) VALUES ('position', 0), ('health', 0);
        CREATE TABLE codes (
            workspace_id TEXT NOT NULL REFERENCES workspaces (id),
            phone TEXT NOT NULL,
            code_hash TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (workspace_id, phone)
        );

        """

    private static let people = """
        -- A deleted account keeps its row and display name; its phone and username are NULL and thereby free.
        CREATE TABLE users (
            id TEXT NOT NULL PRIMARY KEY,
            workspace_id TEXT NOT NULL REFERENCES workspaces (id),
            phone TEXT,
            username TEXT,
            display_name TEXT,
            about TEXT NOT NULL DEFAULT '',
            avatar_url TEXT,
            last_seen_visibility TEXT NOT NULL DEFAULT 'friends' CHECK (last_seen_visibility IN ('friends', 'nobody')),
            last_seen_at BIGINT,
            is_bot SMALLINT NOT NULL DEFAULT 0,
            created_at BIGINT NOT NULL,
            deleted_at BIGINT,
            position BIGINT NOT NULL,
            UNIQUE (workspace_id, phone),
            UNIQUE (workspace_id, username),
            CHECK (deleted_at IS NULL OR (phone IS NULL AND username IS NULL))
        );
        -- Nothing secret stands here: tokens are derived from the id and the generation with a server key.
        CREATE TABLE devices (
            id TEXT NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES users (id),
            name TEXT NOT NULL,
            platform TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            last_seen_at BIGINT NOT NULL,
            generation BIGINT NOT NULL,
            pair_used SMALLINT NOT NULL DEFAULT 0,
            rotated_at BIGINT NOT NULL,
            access_expires_at BIGINT NOT NULL
        );
        CREATE INDEX devices_by_user ON devices (user_id);
        -- `hidden`: 1 was sent to somebody who had blocked the sender, who never hears of it; 2 was taken from the
        -- receiver's list when they blocked the sender. The sender sees either as pending.
        CREATE TABLE friend_requests (
            id TEXT NOT NULL PRIMARY KEY,
            workspace_id TEXT NOT NULL REFERENCES workspaces (id),
            from_user TEXT NOT NULL REFERENCES users (id),
            to_user TEXT NOT NULL REFERENCES users (id),
            pair_low TEXT NOT NULL,
            pair_high TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'cancelled')),
            hidden SMALLINT NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1, 2)),
            created_at BIGINT NOT NULL,
            position BIGINT NOT NULL,
            CHECK (pair_low < pair_high)
        );
        CREATE UNIQUE INDEX friend_requests_pending ON friend_requests (pair_low, pair_high) WHERE status = 'pending';
        CREATE INDEX friend_requests_from ON friend_requests (from_user, position);
        CREATE INDEX friend_requests_to ON friend_requests (to_user, position);
        -- Two rows a friendship, each with its own position. An ended one stays as a tombstone for the sync.
        CREATE TABLE friendships (
            user_id TEXT NOT NULL REFERENCES users (id),
            friend_id TEXT NOT NULL REFERENCES users (id),
            since BIGINT NOT NULL,
            removed_at BIGINT,
            position BIGINT NOT NULL,
            PRIMARY KEY (user_id, friend_id)
        );
        CREATE INDEX friendships_by_position ON friendships (user_id, position);
        -- An ended block stays as a tombstone.
        CREATE TABLE blocks (
            blocker_id TEXT NOT NULL REFERENCES users (id),
            blocked_id TEXT NOT NULL REFERENCES users (id),
            created_at BIGINT NOT NULL,
            removed_at BIGINT,
            position BIGINT NOT NULL,
            PRIMARY KEY (blocker_id, blocked_id)
        );
        CREATE INDEX blocks_by_position ON blocks (blocker_id, position);
        CREATE INDEX blocks_by_blocked ON blocks (blocked_id);
        -- What `viewer_id` goes on seeing of `user_id` while a block stands between them, whoever set it: the profile,
        -- and the watermarks in their direct conversation, whose newest message was `last_seq` (NULL: they had no conversation). No row: no block.
        CREATE TABLE frozen_views (
            viewer_id TEXT NOT NULL REFERENCES users (id),
            user_id TEXT NOT NULL REFERENCES users (id),
            username TEXT,
            display_name TEXT,
            about TEXT NOT NULL,
            avatar_url TEXT,
            version BIGINT NOT NULL,
            delivered_seq BIGINT NOT NULL,
            read_seq BIGINT NOT NULL,
            last_seq BIGINT,
            PRIMARY KEY (viewer_id, user_id)
        );
        CREATE TABLE reports (
            id TEXT NOT NULL PRIMARY KEY,
            workspace_id TEXT NOT NULL REFERENCES workspaces (id),
            reporter_id TEXT NOT NULL REFERENCES users (id),
            user_id TEXT NOT NULL REFERENCES users (id),
            message_id TEXT,
            message_body TEXT,
            reason TEXT NOT NULL,
            comment TEXT NOT NULL DEFAULT '',
            created_at BIGINT NOT NULL
        );
        CREATE INDEX reports_by_workspace ON reports (workspace_id, id);

        """

    private static let conversations = """
        CREATE TABLE conversations (
            id TEXT NOT NULL PRIMARY KEY,
            workspace_id TEXT NOT NULL REFERENCES workspaces (id),
            type TEXT NOT NULL CHECK (type IN ('direct', 'group')),
            pair_low TEXT,
            pair_high TEXT,
            last_seq BIGINT NOT NULL DEFAULT 0,
            last_change BIGINT NOT NULL DEFAULT 0,
            created_at BIGINT NOT NULL,
            last_activity_at BIGINT NOT NULL,
            position BIGINT NOT NULL,
            UNIQUE (pair_low, pair_high),
            CHECK (pair_low < pair_high)
        );
        CREATE TABLE members (
            conversation_id TEXT NOT NULL REFERENCES conversations (id),
            user_id TEXT NOT NULL REFERENCES users (id),
            role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
            joined_seq BIGINT NOT NULL DEFAULT 0,
            delivered_seq BIGINT NOT NULL DEFAULT 0,
            read_seq BIGINT NOT NULL DEFAULT 0,
            muted_until BIGINT,
            archived SMALLINT NOT NULL DEFAULT 0,
            pinned SMALLINT NOT NULL DEFAULT 0,
            position BIGINT NOT NULL,
            PRIMARY KEY (conversation_id, user_id),
            CHECK (read_seq <= delivered_seq)
        );
        CREATE INDEX members_by_user ON members (user_id);

        """

    private static let messages = """
        -- `body` is emptied on deletion; `body_mark` then tells a repeated send from another.
        -- `first_change`: the change it was sent with, once `change` is another: a repeated send is answered as at first.
        -- `hidden_from`: this member had blocked the sender when it was sent, and never gets it.
        CREATE TABLE messages (
            id TEXT NOT NULL PRIMARY KEY,
            conversation_id TEXT NOT NULL REFERENCES conversations (id),
            sender_id TEXT NOT NULL REFERENCES users (id),
            client_message_id TEXT NOT NULL,
            seq BIGINT NOT NULL,
            change BIGINT NOT NULL,
            first_change BIGINT,
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            body_mark TEXT,
            created_at BIGINT NOT NULL,
            edited_at BIGINT,
            deleted_at BIGINT,
            reply_to_id TEXT,
            hidden_from TEXT,
            UNIQUE (conversation_id, seq),
            UNIQUE (conversation_id, change),
            UNIQUE (sender_id, client_message_id)
        );
        CREATE INDEX messages_hidden ON messages (conversation_id, hidden_from, seq) WHERE hidden_from IS NOT NULL;
        CREATE TABLE hidden_messages (
            user_id TEXT NOT NULL REFERENCES users (id),
            message_id TEXT NOT NULL REFERENCES messages (id),
            conversation_id TEXT NOT NULL REFERENCES conversations (id),
            position BIGINT NOT NULL,
            PRIMARY KEY (user_id, message_id)
        );
        CREATE INDEX hidden_messages_by_position ON hidden_messages (user_id, position);
        -- What an echo bot has taken and not yet answered. `stage` counts what is done: 1 read, 2 typing.
        CREATE TABLE echo_tasks (
            message_id TEXT NOT NULL PRIMARY KEY REFERENCES messages (id),
            bot_id TEXT NOT NULL REFERENCES users (id),
            conversation_id TEXT NOT NULL REFERENCES conversations (id),
            seq BIGINT NOT NULL,
            read_at BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            stage SMALLINT NOT NULL DEFAULT 0
        );
        CREATE INDEX echo_tasks_by_bot ON echo_tasks (bot_id, due_at);
        """
}
