"""Addresses of a student's mood and goals, below those of their memory."""

from django.urls import path

from memory.student.pages import life_goal_views, life_measure_views, life_views, life_wishes_views

urlpatterns = [
    path("", life_views.life, name="life"),
    path("undo/", life_views.undo, name="life_undo"),
    path("moods/", life_views.mood, name="life_mood"),
    path("moods/<uuid:mood_id>/delete/", life_views.remove_mood, name="life_remove_mood"),
    path("gratitude/", life_views.gratitude, name="life_gratitude"),
    path("gratitude/<uuid:gratitude_id>/delete/", life_views.remove_gratitude, name="life_remove_gratitude"),
    path("goals/", life_goal_views.add_goal, name="life_add_goal"),
    path("goals/<uuid:goal_id>/<slug:verb>/", life_goal_views.change_goal, name="life_goal"),
    path("notes/<uuid:note_id>/delete/", life_goal_views.remove_note, name="life_remove_note"),
    path("measures/", life_measure_views.measures, name="life_measures"),
    path(
        "measures/<str:day>/<slug:name>/delete/",
        life_measure_views.remove_measure,
        name="life_remove_measure",
    ),
    path("device/", life_measure_views.device, name="life_device"),
    path("facts/<uuid:fact_id>/<slug:verb>/", life_measure_views.fact, name="life_fact"),
    path("wishes/", life_wishes_views.wishes, name="life_wishes"),
]
