"""URL root: login, admin, REST and health; everything else is Dash."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path, re_path

from frontend.bridge import dash_view
from webapp.api.views.tokens import token_page
from webapp.site.missing import missing

handler400 = "webapp.site.error_pages.bad_request"
handler403 = "webapp.site.error_pages.permission_denied"
handler404 = "webapp.site.error_pages.not_found"
handler500 = "webapp.site.error_pages.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("accounts/token/", token_page, name="token"),
    path("accounts/login/", auth.LoginView.as_view(), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password_change/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("accounts/password_change/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    re_path(r"^(?:static|accounts)/", missing),
    path("", include("webapp.api.urls")),
    re_path(r"^(?P<path>.*)$", dash_view, name="dash"),
]
