"""Projects and members in Django's admin."""

from django.contrib import admin

from webapp.teams.models import Membership, Project


class MembershipInline(admin.TabularInline):
    """The members on their project's page."""

    model = Membership
    extra = 0


@admin.register(Project)
class ProjectAdmin(admin.ModelAdmin):
    """Projects with their members."""

    list_display = ("title", "slug", "personal_of", "created")
    search_fields = ("title", "slug")
    inlines = (MembershipInline,)
