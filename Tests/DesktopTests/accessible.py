"""What a screen reader sees of a program: finding things by name and role, reading and working them."""

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

Atspi.init()
# A busy machine answers late; a hung program is told by the test's own time limits.
Atspi.set_timeout(5000, 15000)

TIME_LIMIT = 40


class NotSeen(AssertionError):
    pass


def until(condition, time_limit=TIME_LIMIT):
    """The first true answer of `condition`, or None at the time limit. What arrives meanwhile is handled."""
    context = GLib.MainContext.default()
    ends = GLib.get_monotonic_time() + time_limit * 1_000_000
    while True:
        try:
            if answer := condition():
                return answer
        except GLib.Error:
            pass  # It was just destroyed: look again.
        if GLib.get_monotonic_time() > ends:
            return None
        woken = []
        timer = GLib.timeout_source_new(50)
        timer.set_callback(lambda _: woken.append(True))
        timer.attach(context)
        while not woken:
            context.iteration(True)
        timer.destroy()


def application(process):
    """The accessible root of a process; None until it has one."""
    desktop = Atspi.get_desktop(0)
    desktop.clear_cache()
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_process_id() == process:
            return child
    return None


def is_showing(node):
    # GTK 4.8 says SHOWING of windows only.
    return node.get_state_set().contains(Atspi.StateType.VISIBLE)


def is_sensitive(node):
    return node.get_state_set().contains(Atspi.StateType.SENSITIVE)


def has_keyboard(node):
    return node.get_state_set().contains(Atspi.StateType.FOCUSED)


def children(node):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def walk(node, depth=0):
    """Everything on screen below a node, with its depth, in the order of the tree."""
    yield node, depth
    for child in children(node):
        if depth == 0 or is_showing(child):
            yield from walk(child, depth + 1)


def find(root, name=None, role=None, where=lambda _: True):
    for node, _ in walk(root):
        # GTK 4.8 puts a dialog's button's name and its label's together.
        if name is not None and node.get_name() not in (name, f"{name} {name}"):
            continue
        if role is not None and node.get_role_name() != role:
            continue
        if where(node):
            return node
    return None


def is_editable(node):
    return "EditableText" in node.get_interfaces()


def place(node):
    """Left, top, width and height in its window, in pixels; None while it has no room."""
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return (box.x, box.y, box.width, box.height) if box.width > 0 and box.height > 0 else None


def window_of(node):
    while node.get_parent() is not None and node.get_parent().get_role_name() != "application":
        node = node.get_parent()
    return node


def text_of(node):
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def click_action(node):
    """The number of the action that a click is; None when it has none."""
    if "Action" not in node.get_interfaces():
        return None
    try:
        names = [Atspi.Action.get_action_name(node, index) for index in range(Atspi.Action.get_n_actions(node))]
    except GLib.Error:
        return None  # GTK counts actions that are off, and has no name for them.
    return next((index for index, name in enumerate(names) if name in ("click", "activate", "toggle")), None)


def clickable(node):
    """The node itself or what in it takes the click: a menu button's name stands on its outside. None when it is off, or
    not drawn: a dialog has its buttons twice, beside and above each other.
    """
    if not is_sensitive(node) or place(node) is None:
        return None
    return node if click_action(node) is not None else find(node, where=lambda inner: click_action(inner) is not None)


def tree(root):
    """The tree as text, for a failure."""
    lines = []
    for node, depth in walk(root):
        text = ""
        if is_editable(node):
            text = f" = {text_of(node)!r}"
        off = "" if is_sensitive(node) else " (insensitive)"
        lines.append(f"{'  ' * depth}{node.get_role_name()} {node.get_name()!r}{text}{off}")
    return "\n".join(lines)
