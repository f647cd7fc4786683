"""Addresses of log-in and account."""

from django.urls import path

from companion_site.accounts import views

app_name = "accounts"
urlpatterns = [
    path("login/", views.log_in, name="login"),
    path("logout/", views.log_out, name="logout"),
    path("locked/", views.locked, name="locked"),
    path("account/", views.account, name="account"),
    path("account/password/", views.change_password, name="change_password"),
    path("account/recovery-code/", views.renew_recovery_code, name="recovery_code"),
    path("account/memory/", views.switch_memory, name="switch_memory"),
    path("account/log-ins/end-others/", views.end_other_log_ins, name="end_other_log_ins"),
    path("account/log-ins/<uuid:log_in>/end/", views.end_log_in, name="end_log_in"),
    path("account/tokens/", views.make_token, name="make_token"),
    path("account/tokens/<uuid:token_id>/revoke/", views.revoke_token, name="revoke_token"),
    path("join/", views.join, name="join"),
    path("recover/", views.recover, name="recover"),
    path("start-anew/", views.start_anew, name="start_anew"),
]
