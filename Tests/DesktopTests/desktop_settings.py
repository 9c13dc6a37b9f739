"""The desktop's settings as programs ask for them, through its portal."""

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.freedesktop.portal.Settings">
  <method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
  <method name="Read">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
  </method>
  <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
  <property name="version" type="u" access="read"/>
</interface></node>
"""
NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
APPEARANCE = "org.freedesktop.appearance"
COLOR_SCHEME = "color-scheme"
NO_PREFERENCE, DARK = 0, 1


class DesktopSettings:
    """Light at first."""

    def __init__(self):
        self._scheme = NO_PREFERENCE
        self._bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self._object = self._bus.register_object(PATH, interface, self._called, lambda *_: GLib.Variant("u", 1), None)
        self._owner = Gio.bus_own_name_on_connection(self._bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)

    def close(self):
        Gio.bus_unown_name(self._owner)
        self._bus.unregister_object(self._object)

    def turn_dark(self, is_dark):
        self._scheme = DARK if is_dark else NO_PREFERENCE
        values = GLib.Variant("(ssv)", (APPEARANCE, COLOR_SCHEME, self._value))
        self._bus.emit_signal(None, PATH, "org.freedesktop.portal.Settings", "SettingChanged", values)

    @property
    def _value(self):
        return GLib.Variant("u", self._scheme)

    def _called(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        if method == "ReadAll":
            invocation.return_value(GLib.Variant("(a{sa{sv}})", ({APPEARANCE: {COLOR_SCHEME: self._value}},)))
        elif parameters.unpack() == (APPEARANCE, COLOR_SCHEME):
            # Twice in a box: so the portal answers.
            invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", self._value),)))
        else:
            invocation.return_dbus_error("org.freedesktop.portal.Error.NotFound", "there is no such setting")
