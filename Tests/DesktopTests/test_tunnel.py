from chatter_ui import Scenario


class Tunnel(Scenario):
    def test_what_is_written_offline_survives_a_kill_and_arrives_once_and_in_order(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        alice.cable.pull()
        alice.sees_text("Offline")
        written = [f"{number} from the tunnel" for number in ("First", "Second", "Third")]
        for text in written:
            alice.says(text)
            alice.sees_row(text, among="Messages", ending="sending")
        alice.loses_power()

        alice.opens_the_app()
        alice.opens_chat_with(bob)
        alice.sees_in_order(written)
        alice.sees_row(written[2], among="Messages", ending="sending")
        alice.cable.plug()
        alice.sees_row(written[2], among="Messages", ending="delivered")
        alice.sees_in_order(written)
        bob.opens_chat_with(alice)
        bob.sees_in_order(written)
        bob.says("Got all three")
        alice.sees_row("Bob: Got all three", among="Messages")
        alice.sees_in_order(written)

    def test_a_server_that_restarts_is_found_again(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        self.world.server.stop()
        alice.says("Written without a server")
        alice.sees_row("Written without a server", among="Messages", ending="sending")
        self.world.server.start()
        alice.sees_row("Written without a server", among="Messages", ending="delivered")
        bob.opens_chat_with(alice)
        bob.sees_in_order(["Written without a server"])

    # Field case 6
    def test_what_was_sent_right_before_the_machine_slept_is_settled_once_it_wakes(self):
        alice, bob = self.friends()
        alice.opens_chat_with(bob)
        written = [f"{number} before sleep" for number in ("First", "Second", "Third")]
        alice.cable.damage()
        for text in written:
            alice.says(text)
            alice.sees_row(text, among="Messages", ending="sending")
        bob.sees_row(f"Alice, 1 unread, {written[0]}", among="Chats")
        alice.machine_sleeps()
        alice.cable.pull()
        alice.cable.plug()
        alice.machine_wakes()
        for text in written:
            alice.sees_row(text, among="Messages", ending="delivered")
        alice.sees_in_order(written)
        bob.opens_chat_with(alice)
        bob.sees_in_order(written)
