from __future__ import annotations


def page(method: str, **query: str) -> str:
    from frontend.pages.reproduction import page as method_page

    return str(method_page.layout(method, **query).to_plotly_json())
