"""tmp"""


def reason(s, p, a):
    return ""
