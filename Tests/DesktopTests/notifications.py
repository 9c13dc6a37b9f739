"""The desktop's notification service: keeps what apps show, and clicks it."""

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>
"""
NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Notifications:
    """`shown` holds what stands on screen now: number to (title, body, actions)."""

    def __init__(self):
        self.shown = {}
        self._count = 0
        self._bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self._object = self._bus.register_object(PATH, interface, self._called, None, None)
        self._owner = Gio.bus_own_name_on_connection(self._bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def close(self):
        Gio.bus_unown_name(self._owner)
        self._bus.unregister_object(self._object)

    def find(self, text):
        """The number of the one whose title or body has a text; None when there is none."""
        return next((number for number, (title, body, _) in self.shown.items() if text in title or text in body), None)

    def click(self, number):
        self._emit("ActionInvoked", "(us)", (number, "default"))
        self._gone(number, 2)

    def _emit(self, signal, form, values):
        self._bus.emit_signal(None, PATH, NAME, signal, GLib.Variant(form, values))

    def _gone(self, number, reason):
        if self.shown.pop(number, None):
            self._emit("NotificationClosed", "(uu)", (number, reason))

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        answer = None
        if method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "Chatter", "1", "1.2"))
        elif method == "Notify":
            _, replaces, _, title, body, actions, _, _ = parameters.unpack()
            if replaces not in self.shown:
                self._count += 1
                replaces = self._count
            self.shown[replaces] = (title, body, actions)
            answer = GLib.Variant("(u)", (replaces,))
        elif method == "CloseNotification":
            self._gone(parameters.unpack()[0], 3)
        invocation.return_value(answer)


GNOME_INTERFACE = """
<node><interface name="org.gtk.Notifications">
  <method name="AddNotification">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
  </method>
  <method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>
"""


class GnomeNotifications:
    """GNOME's own, which apps prefer. It tells them apart by the apps' names for them, also after an app's crash."""

    def __init__(self):
        self.shown = {}
        self._bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(GNOME_INTERFACE).interfaces[0]
        self._object = self._bus.register_object("/org/gtk/Notifications", interface, self._called, None, None)
        self._owner = Gio.bus_own_name_on_connection(
            self._bus, "org.gtk.Notifications", Gio.BusNameOwnerFlags.NONE, None, None)

    def close(self):
        Gio.bus_unown_name(self._owner)
        self._bus.unregister_object(self._object)

    def has(self, text):
        return any(text in str(what) for what in self.shown.values())

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        app, name, *what = parameters.unpack()
        if method == "AddNotification":
            self.shown[app, name] = what[0]
        else:
            self.shown.pop((app, name), None)
        invocation.return_value(None)
