"""Settings of the site. Every variable of the environment that is read anywhere is read here (docs/settings.md)."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import global_settings

from webapp.api.conf import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401  (settings of this file)
from webapp.base.data_folder import data_folder
from webapp.site.environment import Environment, last_address, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = Environment(os.environ)

# -- Paretoscope's own ------------------------------------------------------------------------------------------------

PARETOSCOPE_VAR = ENVIRONMENT.folder("PARETOSCOPE_VAR", data_folder())
PARETOSCOPE_PUBLIC_URL = ENVIRONMENT.text("PARETOSCOPE_PUBLIC_URL", last_address(PARETOSCOPE_VAR)).rstrip("/")
# The path below which a proxy serves the site, such as /tools/paretoscope; "" for a host of its own.
PARETOSCOPE_PREFIX = urlsplit(PARETOSCOPE_PUBLIC_URL).path.rstrip("/")
PARETOSCOPE_RUN_MEMORY_MB = ENVIRONMENT.integer("PARETOSCOPE_RUN_MEMORY_MB", 4096, 256, 1_048_576)
PARETOSCOPE_RUN_MEMORY_MAX_MB = ENVIRONMENT.integer("PARETOSCOPE_RUN_MEMORY_MAX_MB", 16384, 256, 1_048_576)
PARETOSCOPE_RUN_MINUTES_MAX = ENVIRONMENT.integer("PARETOSCOPE_RUN_MINUTES_MAX", 0, 0, 525_600)
PARETOSCOPE_RUN_SILENT_MINUTES = ENVIRONMENT.integer("PARETOSCOPE_RUN_SILENT_MINUTES", 60, 0, 100_000)
PARETOSCOPE_RUN_PROCESSES = ENVIRONMENT.integer("PARETOSCOPE_RUN_PROCESSES", 1, 1, 256)
# The scheduler of a cluster that computes batches of searches; runs read it from their environment.
EXECUTOR_URL = ENVIRONMENT.text("EXECUTOR_URL", "")
PARETOSCOPE_CLUSTER_OUTAGE = ENVIRONMENT.choice("PARETOSCOPE_CLUSTER_OUTAGE", "COMPUTE", ("COMPUTE", "WAIT"))
PARETOSCOPE_WORKER_SLOTS = ENVIRONMENT.integer("PARETOSCOPE_WORKER_SLOTS", 1, 1, 256)
PARETOSCOPE_WORKER_SHORT_ONLY = ENVIRONMENT.flag("PARETOSCOPE_WORKER_SHORT_ONLY", False)
PARETOSCOPE_START_AFTER = ENVIRONMENT.text("PARETOSCOPE_START_AFTER", "")
PARETOSCOPE_WORKER_OFFERS = ENVIRONMENT.words(
    "PARETOSCOPE_WORKER_OFFERS", ("auto",), ("auto", "none", "torch", "gpu", "data")
)

# What each person, and each project, may have in all; 0: no limit. Administrators set others for single ones (webapp/limits).
_MOST = 2_000_000_000
PARETOSCOPE_PERSON_RUNS = ENVIRONMENT.integer("PARETOSCOPE_PERSON_RUNS", 0, 0, _MOST)
PARETOSCOPE_PERSON_MB = ENVIRONMENT.integer("PARETOSCOPE_PERSON_MB", 0, 0, _MOST)
PARETOSCOPE_PERSON_STUDY_CELLS = ENVIRONMENT.integer("PARETOSCOPE_PERSON_STUDY_CELLS", 0, 0, _MOST)
PARETOSCOPE_PROJECT_RUNS = ENVIRONMENT.integer("PARETOSCOPE_PROJECT_RUNS", 0, 0, _MOST)
PARETOSCOPE_PROJECT_MB = ENVIRONMENT.integer("PARETOSCOPE_PROJECT_MB", 0, 0, _MOST)
PARETOSCOPE_PROJECT_STUDY_CELLS = ENVIRONMENT.integer("PARETOSCOPE_PROJECT_STUDY_CELLS", 0, 0, _MOST)

PARETOSCOPE_PROXIES = ENVIRONMENT.integer("PARETOSCOPE_PROXIES", 0, 0, 9)
PARETOSCOPE_SECURE = ENVIRONMENT.flag("PARETOSCOPE_SECURE", False)
# Who knows it reads `/metrics`; without one there is no such page.
PARETOSCOPE_METRICS_TOKEN = ENVIRONMENT.token("PARETOSCOPE_METRICS_TOKEN", 16)

# Whether visitors without an account see the gallery and survey networks of their own.
PARETOSCOPE_GUESTS = ENVIRONMENT.flag("PARETOSCOPE_GUESTS", False)

# Whether people make accounts themselves: nobody, those with an invitation, or everybody.
SIGN_UP = ("OFF", "INVITED", "OPEN")
PARETOSCOPE_SIGN_UP = ENVIRONMENT.choice("PARETOSCOPE_SIGN_UP", "OFF", SIGN_UP)

# Wrong passwords that one address may send within so many minutes (0: no limit); hashes that a web process computes at once.
PARETOSCOPE_SIGN_IN_FAILURES = ENVIRONMENT.integer("PARETOSCOPE_SIGN_IN_FAILURES", 30, 0, 1_000_000)
PARETOSCOPE_SIGN_IN_MINUTES = ENVIRONMENT.integer("PARETOSCOPE_SIGN_IN_MINUTES", 5, 1, 15)
PARETOSCOPE_SIGN_IN_HASHINGS = ENVIRONMENT.integer("PARETOSCOPE_SIGN_IN_HASHINGS", 2, 1, 256)

# Where webhooks may lead beside public addresses, and after how many days of failure one is switched off.
PARETOSCOPE_WEBHOOK_NETWORKS = ENVIRONMENT.networks("PARETOSCOPE_WEBHOOK_NETWORKS")
PARETOSCOPE_MAIL_RUNS_MINUTES = ENVIRONMENT.integer("PARETOSCOPE_MAIL_RUNS_MINUTES", 0, 0, 100_000)
PARETOSCOPE_WEBHOOK_DAYS = ENVIRONMENT.integer("PARETOSCOPE_WEBHOOK_DAYS", 5, 1, 365)

# Days that what nobody needs any more is kept (webapp/retention); 0 is for ever.
PARETOSCOPE_KEEP_FAILED_DAYS = ENVIRONMENT.integer("PARETOSCOPE_KEEP_FAILED_DAYS", 0, 0, 36_500)
PARETOSCOPE_KEEP_CHECKPOINTS_DAYS = ENVIRONMENT.integer("PARETOSCOPE_KEEP_CHECKPOINTS_DAYS", 30, 0, 36_500)
PARETOSCOPE_KEEP_DELIVERIES_DAYS = ENVIRONMENT.integer("PARETOSCOPE_KEEP_DELIVERIES_DAYS", 30, 1, 36_500)

# -- Django -----------------------------------------------------------------------------------------------------------

DEBUG = ENVIRONMENT.flag("DEBUG", False)
SECRET_KEY = ENVIRONMENT.text("SECRET_KEY", "") or secret_key(PARETOSCOPE_VAR / "secret_key")
ALLOWED_HOSTS = list(ENVIRONMENT.words("ALLOWED_HOSTS", ("127.0.0.1", "localhost", "[::1]")))
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.words("CSRF_TRUSTED_ORIGINS", ()))

INSTALLED_APPS = [
    "webapp.site.admin_config.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "auditlog",
    "webapp.items",  # before those that ask for items
    "webapp.site",
    "webapp.runs",
    "webapp.studies",
    "webapp.comparisons",
    "webapp.reports",
    "webapp.catalogue",
    "webapp.annotations",
    "webapp.teams",
    "webapp.changes",
    "webapp.api",
    "webapp.reproductions",
    "webapp.limits",
    "webapp.backups",
    "webapp.deletions",
    "webapp.search",
    "webapp.sharing",
    "webapp.webhooks",
    "webapp.measuring",
    "webapp.retention",
    "webapp.gallery",
]
MIDDLEWARE = [
    "webapp.changes.middleware.ActingMiddleware",
    "webapp.site.sub_path.SubPathMiddleware",
    "webapp.metrics.requests.RequestsMiddleware",
    "webapp.site.request_limits.RequestLimitsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "frontend.public_files.PublicFilesMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "webapp.api.throttling.RateHeadersMiddleware",
    "webapp.api.large_bodies.LargeBodiesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webapp.api.page_account.PageAccountMiddleware",
    "webapp.site.request_identity.PersonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "webapp.site.content_security.ContentSecurityPolicyMiddleware",
    "webapp.site.csv_mark.csv_mark",
    "axes.middleware.AxesMiddleware",
]
FORCE_SCRIPT_NAME = PARETOSCOPE_PREFIX or None
ROOT_URLCONF = "webapp.site.urls"
WSGI_APPLICATION = "webapp.site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Before the applications, so that the login form is this site's and not the one of Django's admin.
        "DIRS": [BASE_DIR / "webapp" / "site" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
# Every keeper holds a connection while its run goes on; the worker's own threads and the pages need some beside them.
DATABASES = {
    "default": ENVIRONMENT.database(
        "DATABASE_URL", PARETOSCOPE_VAR / "paretoscope.sqlite3", connections=PARETOSCOPE_WORKER_SLOTS + 15
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "webapp.teams.signed_in.PreparedBackend"]
PASSWORD_HASHERS = ["webapp.teams.hashing.BoundedPasswordHasher", *global_settings.PASSWORD_HASHERS[1:]]
# Who guesses the password of an account from one address waits; the account stays open from every other address. So does an
# address with too many failures for all names together (webapp/teams/sign_in_limits.py).
AXES_HANDLER = "webapp.teams.sign_in_limits.SignInHandler"
AXES_USERNAME_CALLABLE = "webapp.teams.sign_in_limits.counted_name"
AXES_LOCKOUT_CALLABLE = "webapp.teams.sign_in_limits.locked_page"
AXES_CLIENT_IP_CALLABLE = "webapp.teams.rates.counted_address"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_VERBOSE = False
# Who did what, with the values before and after (webapp/changes): names in place of keys, values of their own types.
AUDITLOG_LOGENTRY_MODEL = "changes.Change"
AUDITLOG_STORE_JSON_CHANGES = True
AUDITLOG_USE_FK_STRING_REPRESENTATION = True
AUDITLOG_DISABLE_ON_RAW_SAVE = True
LOGIN_URL = LOGOUT_REDIRECT_URL = "login"
LOGIN_REDIRECT_URL = f"{PARETOSCOPE_PREFIX}/"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
STATIC_URL = f"{PARETOSCOPE_PREFIX}/static/"
STATIC_ROOT = PARETOSCOPE_VAR / "static"
# The login pages take colours and fonts from the same files as the pages behind them.
STATICFILES_DIRS = [("ui", BASE_DIR / "frontend" / "assets")]
# Files are found where they lie in the source tree, so that no `collectstatic` stands between `git pull` and the page.
WHITENOISE_USE_FINDERS = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024

# -- e-mail -----------------------------------------------------------------------------------------------------------

_MAIL = ENVIRONMENT.mail("EMAIL_URL")
EMAIL_BACKEND = _MAIL["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = _MAIL.get("EMAIL_HOST", ""), _MAIL.get("EMAIL_PORT", 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_USER", ""), _MAIL.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_TLS", False), _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = _MAIL.get("EMAIL_TIMEOUT")
DEFAULT_FROM_EMAIL = ENVIRONMENT.text("EMAIL_FROM", "paretoscope@localhost")
# Else they are printed in the log, and pages say that links have to be passed on by hand.
PARETOSCOPE_SENDS_MAIL = "EMAIL_HOST" in _MAIL

# -- security ---------------------------------------------------------------------------------------------------------

X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "webapp.site.error_pages.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "webapp.site.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{PARETOSCOPE_PREFIX}/"  # other sites of the host have their own
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = PARETOSCOPE_SECURE
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = PARETOSCOPE_SECURE
SECURE_SSL_REDIRECT = PARETOSCOPE_SECURE
SECURE_REDIRECT_EXEMPT = [
    r"^health/$",
    r"^livez$",
    r"^readyz$",
]  # asked for over plain HTTP by what stands before the web servers
SECURE_HSTS_SECONDS = 31_536_000 if PARETOSCOPE_SECURE else 0
# Other sites below the same domain, and the lists of browsers, are not this site's to decide: what stands in front may say more.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PARETOSCOPE_SECURE else None

# -- REST -------------------------------------------------------------------------------------------------------------

# REST_FRAMEWORK and SPECTACULAR_SETTINGS come from webapp/api/conf.py (imported at the top).
SPECTACULAR_SETTINGS["SERVERS"] = [{"url": PARETOSCOPE_PREFIX}] if PARETOSCOPE_PREFIX else []

# -- Celery: the queue only rings the bell ----------------------------------------------------------------------------

CELERY_BROKER_URL = ENVIRONMENT.text("BROKER_URL", "filesystem://localhost")
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = PARETOSCOPE_WORKER_SLOTS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"socket_connect_timeout": 1, "socket_timeout": 30}
if CELERY_BROKER_URL.startswith("filesystem"):
    _folders = {name: PARETOSCOPE_VAR / name for name in ("queue", "control")}
    for _folder in _folders.values():
        _folder.mkdir(exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_folders["queue"]),
        "data_folder_out": str(_folders["queue"]),
        "control_folder": str(_folders["control"]),
        "store_processed": False,
        # The transport's own second between two looks would be most of the time from "queued" to "running".
        "polling_interval": 0.05,
    }

# -- logging ----------------------------------------------------------------------------------------------------------

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS = {"TEXT": "webapp.base.log_lines.TextLines", "JSON": "webapp.base.log_lines.JsonLines"}
LOG_FORMAT = ENVIRONMENT.choice("LOG_FORMAT", "TEXT", tuple(LOG_FORMATS))
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"identifiers": {"()": "webapp.base.log_lines.Identifiers"}},
    "formatters": {"line": {"()": LOG_FORMATS[LOG_FORMAT]}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["identifiers"]}},
    "root": {"handlers": ["console"], "level": ENVIRONMENT.choice("LOG_LEVEL", "INFO", LOG_LEVELS)},
    "loggers": {
        name: {"level": "WARNING"} for name in ("axes", "celery.worker.strategy", "celery.app.trace", "psycopg.pool")
    },
}
