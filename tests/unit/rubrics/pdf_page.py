"""Makes the smallest PDF that holds a line of text."""

from __future__ import annotations


def pdf_with(text: str, code_of_a: str = "0041") -> bytes:
    """A PDF of one page with one line, whose letter A stands for a code of UTF-16 in hex."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    codes = (
        "begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"1 beginbfchar <41> <{code_of_a}> endbfchar\nendcmap"
    ).encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(codes), codes),
    ]
    content, places = b"%PDF-1.4\n", list[int]()
    for number, one in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(content)
    return (
        content
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + rows
        + b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
        + b"startxref\n%d\n%%%%EOF\n" % start
    )
