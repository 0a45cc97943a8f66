"""URL root: login, admin, REST and health; everything else is Dash."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import TemplateView

from frontend.bridge import dash_view, describe_link
from webapp.api.page_account import who
from webapp.api.views.tokens import token_page
from webapp.base.error_codes import error_page
from webapp.metrics.views import metrics
from webapp.sharing.views import shared_page
from webapp.site.unknown_addresses import missing
from webapp.site.visitor_network import visitor_network
from webapp.teams.password_form import PasswordForm
from webapp.teams.rates import at_most
from webapp.teams.views.account import account_page
from webapp.teams.views.invitations import invitation_page
from webapp.teams.views.project_choice import choose_project
from webapp.teams.views.signing_up import sign_up

handler400 = "webapp.site.error_pages.bad_request"
handler403 = "webapp.site.error_pages.permission_denied"
handler404 = "webapp.site.error_pages.not_found"
handler500 = "webapp.site.error_pages.server_error"

# Links in mails lead to the site's own address, whatever host a request names.
_reset = auth.PasswordResetView.as_view(
    form_class=PasswordForm,
    extra_email_context={"address": settings.PARETOSCOPE_PUBLIC_URL.removesuffix(settings.PARETOSCOPE_PREFIX)},
)
# Where a page leads whose sign-in has ended: in a tab of its own.
_signed_in = login_required(TemplateView.as_view(template_name="registration/signed_in.html"))
_reset_done = auth.PasswordResetDoneView.as_view(extra_context={"sends_mail": settings.PARETOSCOPE_SENDS_MAIL})

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("accounts/token/", token_page, name="token"),
    path(
        "accounts/login/",
        auth.LoginView.as_view(
            extra_context={"sign_up": settings.PARETOSCOPE_SIGN_UP == "OPEN", "guests": settings.PARETOSCOPE_GUESTS}
        ),
        name="login",
    ),
    path("accounts/signed_in/", _signed_in, name="signed_in"),
    path("accounts/who/", who, name="who"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password_change/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("accounts/password_change/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("accounts/password_reset/", at_most("10/hour", "POST")(_reset), name="password_reset"),
    path("accounts/password_reset/done/", _reset_done, name="password_reset_done"),
    path("accounts/reset/<uidb64>/<token>/", auth.PasswordResetConfirmView.as_view(), name="password_reset_confirm"),
    path("accounts/reset/done/", auth.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
    path("accounts/account/", account_page, name="account"),
    path("accounts/sign_up/", sign_up, name="sign_up"),
    path("accounts/project/", choose_project, name="choose_project"),
    path("invitations/<str:secret>/", invitation_page, name="invitation"),
    path("shared/<str:secret>/", shared_page, {"describe": describe_link}, name="shared"),
    path("gallery/network/", visitor_network, name="visitor_network"),
    re_path(r"^(?:static|accounts|invitations|shared)/", missing),
    path("docs/errors/", error_page, name="error_codes"),
    path("metrics", metrics, name="metrics"),
    path("", include("webapp.api.urls")),
    re_path(r"^(?P<path>.*)$", dash_view, name="dash"),
]
